/* librac._redis: librac-redis for librac.redis.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <rac_redis.h>

#include "opening.h"

#define NAME "librac._redis.Redis"

static const bridge *librac;

static void release(PyObject *capsule) {
  rac_redis_release(PyCapsule_GetPointer(capsule, NAME));
}

static rac_redis *redis_in(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, NAME);
}

static PyObject *create(PyObject *module, PyObject *arguments) {
  rac_redis_options o = RAC_REDIS_OPTIONS_INIT;
  PyObject *scheduler;
  int tls;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "zzzzziiddOzzzp", &o.host, &o.socket,
                        &o.user, &o.password, &o.sender, &o.port, &o.database,
                        &o.patience, &o.give_up_after, &scheduler,
                        &o.authorities, &o.certificate, &o.key, &tls))
    return NULL;
  o.tls = tls;
  if (scheduler != Py_None &&
      (o.scheduler = librac->scheduler_of(scheduler)) == NULL)
    return NULL;
  rac_redis *redis = rac_redis_create(&o);
  if (redis == NULL) return refused("Redis", rac_redis_last_message());
  PyObject *capsule = PyCapsule_New(redis, NAME, release);
  if (capsule == NULL) rac_redis_release(redis);
  return capsule;
}

static PyObject *publish(PyObject *module, PyObject *arguments) {
  static const char name[] = "Redis.publish";
  rac_redis_publish_options o = RAC_REDIS_PUBLISH_OPTIONS_INIT;
  PyObject *capsule, *source, *bound, *keeper = NULL;
  const char *stream;
  Py_ssize_t window;
  unsigned long long keep;
  int unique, ends, durable;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOsnOKppp", &capsule, &source, &stream,
                        &window, &bound, &keep, &unique, &ends, &durable))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  o.window = window < 0 ? SIZE_MAX : (size_t)window;
  o.keep = keep;
  o.unique = unique;
  o.ends = ends;
  o.durable = durable;
  if (redis == NULL ||
      (bound != Py_None && (o.bound = librac->bound_of(bound)) == NULL))
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
  rac_redis_read_options o = RAC_REDIS_READ_OPTIONS_INIT;
  PyObject *capsule;
  const char *stream;
  Py_ssize_t batch;
  int positions, ends;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Osznpp", &capsule, &stream, &o.from, &batch,
                        &positions, &ends))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  o.batch = batch < 0 ? SIZE_MAX : (size_t)batch;
  o.positions = positions;
  o.ends = ends;
  if (redis == NULL) return NULL;
  return made(librac, rac_redis_read(redis, stream, &o), "Redis.read",
              rac_redis_last_message());
}

static PyObject *work(PyObject *module, PyObject *arguments) {
  static const char name[] = "Redis.work";
  rac_redis_work_options o = RAC_REDIS_WORK_OPTIONS_INIT;
  PyObject *capsule, *handle;
  const char *stream, *group;
  Py_ssize_t in_flight;
  unsigned long long attempts;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OssOzzzndK", &capsule, &stream, &group,
                        &handle, &o.consumer, &o.from, &o.dead, &in_flight,
                        &o.claim_after, &attempts))
    return NULL;
  rac_redis *redis = redis_in(capsule);
  o.in_flight = in_flight < 0 ? SIZE_MAX : (size_t)in_flight;
  o.attempts = attempts;
  if (redis == NULL) return NULL;
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
      {"create", create, METH_VARARGS, NULL},
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
