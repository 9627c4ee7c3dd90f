/* librac._mqtt: librac-mqtt for librac.mqtt.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridge.h"

#include <rac_mqtt.h>

#include "opening.h"
#include "options.h"

#define NAME "librac._mqtt.Mqtt"

static const bridge *librac;

static void release(PyObject *capsule) {
  rac_mqtt_release(PyCapsule_GetPointer(capsule, NAME));
}

static rac_mqtt *mqtt_in(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, NAME);
}

static PyObject *create(PyObject *module, PyObject *options) {
#define AS(name, kind) OPTION(rac_mqtt_options, name, kind)
  static const option all[] = {AS(host, TEXT),
                               AS(socket, TEXT),
                               AS(user, TEXT),
                               AS(password, TEXT),
                               AS(client, TEXT),
                               AS(authorities, TEXT),
                               AS(certificate, TEXT),
                               AS(key, TEXT),
                               AS(will_topic, TEXT),
                               {"will", OPTION_BYTES,
                                offsetof(rac_mqtt_options, will),
                                offsetof(rac_mqtt_options, will_length)},
                               AS(will_qos, NUMBER),
                               AS(will_retained, FLAG),
                               AS(tls, FLAG),
                               AS(session, FLAG),
                               AS(port, NUMBER),
                               AS(keep_alive, NUMBER),
                               AS(patience, SECONDS),
                               AS(give_up_after, SECONDS),
                               AS(scheduler, SCHEDULER),
                               END_OF_OPTIONS};
#undef AS
  rac_mqtt_options o = RAC_MQTT_OPTIONS_INIT;
  (void)module;
  if (!fill_options(&o, all, options, librac, "Mqtt")) return NULL;
  rac_mqtt *mqtt = rac_mqtt_create(&o);
  if (mqtt == NULL) return refused("Mqtt", rac_mqtt_last_message());
  PyObject *capsule = PyCapsule_New(mqtt, NAME, release);
  if (capsule == NULL) rac_mqtt_release(mqtt);
  return capsule;
}

static PyObject *subscribe(PyObject *module, PyObject *arguments) {
#define AS(name, kind) OPTION(rac_mqtt_subscribe_options, name, kind)
  static const option all[] = {AS(qos, NUMBER),  AS(format, NUMBER),
                               AS(field, TEXT),  AS(backlog, SIZE),
                               AS(topics, FLAG), END_OF_OPTIONS};
#undef AS
  rac_mqtt_subscribe_options o = RAC_MQTT_SUBSCRIBE_OPTIONS_INIT;
  PyObject *capsule, *options;
  const char *filter;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OsO", &capsule, &filter, &options))
    return NULL;
  rac_mqtt *mqtt = mqtt_in(capsule);
  if (mqtt == NULL || !fill_options(&o, all, options, librac, "Mqtt.subscribe"))
    return NULL;
  return made(librac, rac_mqtt_subscribe(mqtt, filter, &o), "Mqtt.subscribe",
              rac_mqtt_last_message());
}

static PyObject *publish(PyObject *module, PyObject *arguments) {
#define AS(name, kind) OPTION(rac_mqtt_publish_options, name, kind)
  static const option all[] = {
      AS(qos, NUMBER),  AS(format, NUMBER), AS(field, TEXT), AS(window, SIZE),
      AS(bound, BOUND), AS(retained, FLAG), END_OF_OPTIONS};
#undef AS
  static const char name[] = "Mqtt.publish";
  rac_mqtt_publish_options o = RAC_MQTT_PUBLISH_OPTIONS_INIT;
  PyObject *capsule, *source, *options, *keeper = NULL;
  const char *topic;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOsO", &capsule, &source, &topic, &options))
    return NULL;
  rac_mqtt *mqtt = mqtt_in(capsule);
  if (mqtt == NULL || !fill_options(&o, all, options, librac, name))
    return NULL;
  rac_signal *signal = librac->signal_of(source, &keeper, name, "source");
  if (signal == NULL) return NULL;
  PyObject *result = made(librac, rac_mqtt_publish(mqtt, signal, topic, &o),
                          name, rac_mqtt_last_message());
  Py_XDECREF(keeper);
  return result;
}

static PyObject *bind_property(PyObject *module, PyObject *arguments) {
#define AS(name, kind) OPTION(rac_mqtt_bind_options, name, kind)
  static const option all[] = {AS(qos, NUMBER), AS(format, NUMBER),
                               AS(field, TEXT), END_OF_OPTIONS};
#undef AS
  rac_mqtt_bind_options o = RAC_MQTT_BIND_OPTIONS_INIT;
  PyObject *capsule, *property, *options;
  const char *topic;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOsO", &capsule, &property, &topic,
                        &options))
    return NULL;
  rac_mqtt *mqtt = mqtt_in(capsule);
  if (mqtt == NULL || !fill_options(&o, all, options, librac, "Mqtt.bind"))
    return NULL;
  rac_property *bound = librac->property_of(property);
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
      {"create", create, METH_O, NULL},
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
