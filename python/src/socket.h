/* Connections as Python's objects; see socket.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_SOCKET_H
#define LIBRAC_SOCKET_H

#include "objects.h"

int make_socket(PyObject *module);

#endif
