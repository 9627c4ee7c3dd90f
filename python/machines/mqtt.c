/* librac._mqtt: librac-mqtt for librac.mqtt.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <rac_mqtt.h>

#include "opening.h"

#define NAME "librac._mqtt.Mqtt"

static const bridge *librac;

static void release(PyObject *capsule) {
  rac_mqtt_release(PyCapsule_GetPointer(capsule, NAME));
}

static rac_mqtt *mqtt_in(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, NAME);
}

static PyObject *create(PyObject *module, PyObject *arguments) {
  rac_mqtt_options o = RAC_MQTT_OPTIONS_INIT;
  PyObject *scheduler;
  Py_ssize_t will_length = 0;
  int will_retained, tls, session;
  const char *will;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "zzzzzzzzzz#ipppiiddO", &o.host, &o.socket,
                        &o.user, &o.password, &o.client, &o.authorities,
                        &o.certificate, &o.key, &o.will_topic, &will,
                        &will_length, &o.will_qos, &will_retained, &tls,
                        &session, &o.port, &o.keep_alive, &o.patience,
                        &o.give_up_after, &scheduler))
    return NULL;
  o.will = will;
  o.will_length = (size_t)will_length;
  o.will_retained = will_retained;
  o.tls = tls;
  o.session = session;
  if (scheduler != Py_None &&
      (o.scheduler = librac->scheduler_of(scheduler)) == NULL)
    return NULL;
  rac_mqtt *mqtt = rac_mqtt_create(&o);
  if (mqtt == NULL) return refused("Mqtt", rac_mqtt_last_message());
  PyObject *capsule = PyCapsule_New(mqtt, NAME, release);
  if (capsule == NULL) rac_mqtt_release(mqtt);
  return capsule;
}

static PyObject *subscribe(PyObject *module, PyObject *arguments) {
  rac_mqtt_subscribe_options o = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  PyObject *capsule;
  const char *filter;
  Py_ssize_t backlog;
  int topics;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "Osiiznp", &capsule, &filter, &o.qos,
                        &o.format, &o.field, &backlog, &topics))
    return NULL;
  rac_mqtt *mqtt = mqtt_in(capsule);
  o.backlog = backlog < 0 ? SIZE_MAX : (size_t)backlog;
  o.topics = topics;
  if (mqtt == NULL) return NULL;
  return made(librac, rac_mqtt_subscribe(mqtt, filter, &o), "Mqtt.subscribe",
              rac_mqtt_last_message());
}

static PyObject *publish(PyObject *module, PyObject *arguments) {
  static const char name[] = "Mqtt.publish";
  rac_mqtt_publish_options o = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  PyObject *capsule, *source, *bound, *keeper = NULL;
  const char *topic;
  Py_ssize_t window;
  int retained;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOsiiznOp", &capsule, &source, &topic,
                        &o.qos, &o.format, &o.field, &window, &bound,
                        &retained))
    return NULL;
  rac_mqtt *mqtt = mqtt_in(capsule);
  o.window = window < 0 ? SIZE_MAX : (size_t)window;
  o.retained = retained;
  if (mqtt == NULL ||
      (bound != Py_None && (o.bound = librac->bound_of(bound)) == NULL))
    return NULL;
  rac_signal *signal = librac->signal_of(source, &keeper, name, "source");
  if (signal == NULL) return NULL;
  PyObject *result = made(librac, rac_mqtt_publish(mqtt, signal, topic, &o),
                          name, rac_mqtt_last_message());
  Py_XDECREF(keeper);
  return result;
}

static PyObject *bind_property(PyObject *module, PyObject *arguments) {
  rac_mqtt_bind_options o = RAC_MQTT_BIND_OPTIONS_INIT;
  PyObject *capsule, *property;
  const char *topic;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOsiiz", &capsule, &property, &topic,
                        &o.qos, &o.format, &o.field))
    return NULL;
  rac_mqtt *mqtt = mqtt_in(capsule);
  rac_property *bound = mqtt ? librac->property_of(property) : NULL;
  if (bound == NULL) return NULL;
  return made(librac, rac_mqtt_bind(mqtt, bound, topic, &o), "Mqtt.bind",
              rac_mqtt_last_message());
}

static PyObject *stats(PyObject *module, PyObject *capsule) {
  rac_mqtt_stats all = {.size = sizeof all};
  (void)module;
  rac_mqtt *mqtt = mqtt_in(capsule);
  if (mqtt == NULL || rac_mqtt_get_stats(mqtt, &all) != RAC_OK) return NULL;
  PyObject *counts = PyDict_New();
  if (counts == NULL) return NULL;
#define COUNT(field) add_count(counts, #field, all.field) < 0
  PyObject *trouble = PyUnicode_DecodeUTF8(
      all.trouble, (Py_ssize_t)strlen(all.trouble), "replace");
  if (COUNT(sent) || COUNT(acknowledged) || COUNT(lost) || COUNT(refused) ||
      COUNT(unechoed) || COUNT(received) || COUNT(unreadable) ||
      COUNT(unheard) || COUNT(dropped) || COUNT(lowered) ||
      COUNT(connections) || COUNT(losses) || trouble == NULL ||
      PyDict_SetItemString(counts, "trouble", trouble) < 0)
    Py_CLEAR(counts);
  Py_XDECREF(trouble);
  return counts;
}

PyMODINIT_FUNC PyInit__mqtt(void);
PyMODINIT_FUNC PyInit__mqtt(void) {
  static PyMethodDef functions[] = {
      {"create", create, METH_VARARGS, NULL},
      {"subscribe", subscribe, METH_VARARGS, NULL},
      {"publish", publish, METH_VARARGS, NULL},
      {"bind", bind_property, METH_VARARGS, NULL},
      {"stats", stats, METH_O, NULL},
      {NULL, NULL, 0, NULL}};
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "librac._mqtt",
                                   "librac-mqtt.",
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
