/* TLS between a connection's bytes and the socket's, in memory: what goes out is
 * sealed, what comes in is opened. Without OpenSSL there is none. */
#ifndef RAC_REDIS_TLS_H
#define RAC_REDIS_TLS_H

#include "buffer.h"

/* The authorities that a rac_redis trusts, and its own certificate. */
typedef struct tls_settings tls_settings;
/* Of a connection. */
typedef struct tls tls;

/* The file of the authorities, or NULL for the system's; certificate and key, or
 * NULL. NULL, and why. */
tls_settings *tls_settings_create(const char *authorities,
                                  const char *certificate, const char *key,
                                  const char **fault);
/* NULL is a no-op, as below. */
void tls_settings_free(tls_settings *self);

/* To a host whose certificate has to have this name or address. NULL without
 * memory. */
tls *tls_create(tls_settings *settings, const char *host);
void tls_free(tls *self);

/* Moves what is to be said to what is to be sent; before they have agreed on a
 * key only what they say to do so. False: it failed. */
bool tls_seal(tls *self, buffer *said, buffer *sent);
/* Adds what was heard in received bytes. */
bool tls_open(tls *self, const void *received, size_t length, buffer *heard);
/* Why it failed. */
const char *tls_fault(const tls *self);

#endif
