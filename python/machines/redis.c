/* librac._redis: librac-redis for librac.redis.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <rac_redis.h>

#include "opening.h"
#include "options.h"

#define NAME "librac._redis.Redis"

static const bridge *librac;

static void release(PyObject *capsule) {
  rac_redis_release(PyCapsule_GetPointer(capsule, NAME));
}

static rac_redis *redis_in(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, NAME);
}

static PyObject *create(PyObject *module, PyObject *options) {
#define AS(name, kind) OPTION(rac_redis_options, name, kind)
  static const option all[] = {AS(host, TEXT),
                               AS(socket, TEXT),
                               AS(user, TEXT),
                               AS(password, TEXT),
                               AS(sender, TEXT),
                               AS(port, NUMBER),
                               AS(database, NUMBER),
                               AS(patience, SECONDS),
                               AS(give_up_after, SECONDS),
                               AS(scheduler, SCHEDULER),
                               AS(authorities, TEXT),
                               AS(certificate, TEXT),
                               AS(key, TEXT),
                               AS(tls, FLAG),
                               END_OF_OPTIONS};
#undef AS
  rac_redis_options o = RAC_REDIS_OPTIONS_INIT;
  (void)module;
  if (!fill_options(&o, all, options, librac, "Redis")) return NULL;
  rac_redis *redis = rac_redis_create(&o);
  if (redis == NULL) return refused("Redis", rac_redis_last_message());
  PyObject *capsule = PyCapsule_New(redis, NAME, release);
  if (capsule == NULL) rac_redis_release(redis);
  return capsule;
}

static PyObject *publish(PyObject *module, PyObject *arguments) {
#define AS(name, kind) OPTION(rac_redis_publish_options, name, kind)
  static const option all[] = {
      AS(window, SIZE), AS(bound, BOUND),  AS(keep, LARGE), AS(unique, FLAG),
      AS(ends, FLAG),   AS(durable, FLAG), END_OF_OPTIONS};
#undef AS
  static const char name[] = "Redis.publish";
  rac_redis_publish_options o = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  PyObject *capsule, *source, *options, *keeper = NULL;
  const char *stream;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOsO", &capsule, &source, &stream,
                        &options))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  if (redis == NULL || !fill_options(&o, all, options, librac, name))
    return NULL;
  rac_signal *signal = librac->signal_of(source, &keeper, name, "source");
  if (signal == NULL) return NULL;
  PyObject *result = made(librac, rac_redis_publish(redis, signal, stream, &o),
                          name, rac_redis_last_message());
  Py_XDECREF(keeper);
  return result;
}

static PyObject *last_number(PyObject *module, PyObject *arguments) {
  PyObject *capsule;
  const char *stream;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Os", &capsule, &stream)) return NULL;
  rac_redis *redis = redis_in(capsule);
  if (redis == NULL) return NULL;
  return made(librac, rac_redis_last_number(redis, stream), "Redis.last_number",
              rac_redis_last_message());
}

static PyObject *read_stream(PyObject *module, PyObject *arguments) {
#define AS(name, kind) OPTION(rac_redis_read_options, name, kind)
  static const option all[] = {
      {"from_", OPTION_TEXT, offsetof(rac_redis_read_options, from), 0},
      AS(batch, SIZE),
      AS(positions, FLAG),
      AS(ends, FLAG),
      END_OF_OPTIONS};
#undef AS
  rac_redis_read_options o = RAC_REDIS_READ_OPTIONS_INIT;
  PyObject *capsule, *options;
  const char *stream;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OsO", &capsule, &stream, &options))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  if (redis == NULL || !fill_options(&o, all, options, librac, "Redis.read"))
    return NULL;
  return made(librac, rac_redis_read(redis, stream, &o), "Redis.read",
              rac_redis_last_message());
}

static PyObject *work(PyObject *module, PyObject *arguments) {
#define AS(name, kind) OPTION(rac_redis_work_options, name, kind)
  static const option all[] = {
      {"from_", OPTION_TEXT, offsetof(rac_redis_work_options, from), 0},
      AS(consumer, TEXT),
      AS(dead, TEXT),
      AS(in_flight, SIZE),
      AS(claim_after, SECONDS),
      AS(attempts, LARGE),
      END_OF_OPTIONS};
#undef AS
  static const char name[] = "Redis.work";
  rac_redis_work_options o = RAC_REDIS_WORK_OPTIONS_INIT;
  PyObject *capsule, *handle, *options;
  const char *stream, *group;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OssOO", &capsule, &stream, &group, &handle,
                        &options))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  if (redis == NULL || !fill_options(&o, all, options, librac, name))
    return NULL;
  if (!PyCallable_Check(handle))
    return PyErr_Format(PyExc_TypeError,
                        "%s(): handle must be a callable, not %R", name,
                        handle);
  uint64_t outer[2];
  librac->enter(outer);
  rac_signal *signal =
      rac_redis_work(redis, stream, group, &o, Py_NewRef(handle),
                     librac->call_signal, librac->drop_context);
  if (!librac->leave(outer)) {
    rac_release(signal);
    return NULL;
  }
  return made(librac, signal, name, rac_redis_last_message());
}

static PyObject *bind_property(PyObject *module, PyObject *arguments) {
  PyObject *capsule, *property;
  const char *key;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOs", &capsule, &property, &key))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  rac_property *bound = redis ? librac->property_of(property) : NULL;
  if (bound == NULL) return NULL;
  return made(librac, rac_redis_bind(redis, bound, key), "Redis.bind",
              rac_redis_last_message());
}

static PyObject *stats(PyObject *module, PyObject *capsule) {
  rac_redis_stats all = {.size = sizeof all};
  (void)module;
  rac_redis *redis = redis_in(capsule);
  if (redis == NULL || rac_redis_get_stats(redis, &all) != RAC_OK) return NULL;
  PyObject *counts = PyDict_New();
  if (counts == NULL) return NULL;
#define COUNT(field) add_count(counts, #field, all.field) < 0
  PyObject *trouble = PyUnicode_DecodeUTF8(
      all.trouble, (Py_ssize_t)strlen(all.trouble), "replace");
  if (COUNT(sent) || COUNT(resent) || COUNT(acknowledged) || COUNT(refused) ||
      COUNT(forgotten) || COUNT(received) || COUNT(doubles) || COUNT(gaps) ||
      COUNT(unreadable) || COUNT(handled) || COUNT(failed) || COUNT(dead) ||
      COUNT(connections) || COUNT(losses) || COUNT(undurable) ||
      trouble == NULL || PyDict_SetItemString(counts, "trouble", trouble) < 0)
    Py_CLEAR(counts);
  Py_XDECREF(trouble);
  return counts;
}

PyMODINIT_FUNC PyInit__redis(void);
PyMODINIT_FUNC PyInit__redis(void) {
  static PyMethodDef functions[] = {
      {"create", create, METH_O, NULL},
      {"publish", publish, METH_VARARGS, NULL},
      {"last_number", last_number, METH_VARARGS, NULL},
      {"read", read_stream, METH_VARARGS, NULL},
      {"work", work, METH_VARARGS, NULL},
      {"bind", bind_property, METH_VARARGS, NULL},
      {"stats", stats, METH_O, NULL},
      {NULL, NULL, 0, NULL}};
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "librac._redis",
                                   "librac-redis.",
                                   -1,
                                   functions,
                                   NULL,
                                   NULL,
                                   NULL,
                                   NULL};
  librac = find_bridge();
  if (librac == NULL) return NULL;
  open_value = librac->open_value;
  return PyModule_Create(&definition);
}
