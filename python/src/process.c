/* The end of the process, forks, and what is told of what goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "calls.h"
#include "classes.h"
#include "gil.h"
#include "hooks.h"
#include "notes.h"
#include "parsing.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

/* ---- The end ---- */

static PyObject *close_engine(PyObject *module, PyObject *const *args,
                              Py_ssize_t count, PyObject *keywords) {
  (void)module;
  static const char *const names[] = {"timeout"};
  PyObject *given;
  double seconds = 1;
  if (!take_arguments("close", names, 1, 0, args, count, keywords, &given))
    return NULL;
  if (given != NULL && !as_seconds(given, &seconds, "close", "timeout"))
    return NULL;
  entry outer = enter();
  rac_status status = rac_close(seconds < 0 ? 0 : seconds);
  if (!leave(outer)) return NULL;
  return status < 0 ? set_status(status, "close") : Py_NewRef(Py_None);
}

/* Seconds; negative: as long as it takes. */
static double settling_at_exit;

/* Not the engine's own, which would come after the interpreter. */
static PyObject *set_settle_at_exit(PyObject *module, PyObject *const *args,
                                    Py_ssize_t count, PyObject *keywords) {
  (void)module;
  static const char *const names[] = {"timeout"};
  PyObject *given;
  double seconds = -1;
  if (!take_arguments("set_settle_at_exit", names, 1, 1, args, count, keywords,
                      &given) ||
      (given != Py_None &&
       !as_seconds(given, &seconds, "set_settle_at_exit", "timeout")))
    return NULL;
  settling_at_exit = seconds < 0 && given != Py_None ? 0 : seconds;
  return Py_NewRef(Py_None);
}

static void settle_at_exit(void) {
  entry outer = enter_for_others();
  rac_status status = rac_settle(settling_at_exit);
  leave_quietly(outer);
  if (status == RAC_ETIMEDOUT)
    PySys_WriteStderr(
        "librac: the process exits before all that was sent is delivered\n");
}

/* Before the interpreter goes: no callback begins any more, and none runs. One
 * that does not come to its end is left behind, and finds nothing to touch. */
static PyObject *at_exit(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  if (settling_at_exit != 0) settle_at_exit();
  close_for_good();
  let_go_of_interpreter();
  return Py_NewRef(Py_None);
}

/* ---- Forks ---- */

/* In a child whose parent had threads of the engine's, or others that had
 * called it, it begins anew. */
static PyObject *after_fork(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  rac_signal *probe = rac_signal_never();
  if (probe == NULL && rac_reinitialize() == RAC_OK) set_engine_hooks();
  rac_release(probe);
  return Py_NewRef(Py_None);
}

static PyMethodDef hidden[] = {
    {"_close_at_exit", at_exit, METH_NOARGS, NULL},
    {"_after_fork", after_fork, METH_NOARGS, NULL},
};

static int registered(const char *module_name, const char *function,
                      const char *keyword, PyMethodDef *method,
                      PyObject *module) {
  PyObject *from = PyImport_ImportModule(module_name);
  PyObject *registering = from ? PyObject_GetAttrString(from, function) : NULL;
  PyObject *called = PyCFunction_NewEx(method, module, NULL), *result = NULL;
  PyObject *named = keyword ? PyDict_New() : NULL;
  PyObject *plain = keyword ? PyTuple_New(0) : PyTuple_Pack(1, called);
  if (registering != NULL && called != NULL && plain != NULL &&
      (keyword == NULL || PyDict_SetItemString(named, keyword, called) == 0))
    result = PyObject_Call(registering, plain, named);
  Py_XDECREF(from);
  Py_XDECREF(registering);
  Py_XDECREF(called);
  Py_XDECREF(named);
  Py_XDECREF(plain);
  Py_XDECREF(result);
  return result != NULL;
}

int prepare_process(PyObject *module) {
  return registered("atexit", "register", NULL, &hidden[0], module) &&
         registered("os", "register_at_fork", "after_in_child", &hidden[1],
                    module);
}

/* ---- What goes on ---- */

static void call_trace(void *context, const rac_trace_event *event) {
  static const char *const types[] = {"",        "subscribe", "next",
                                      "error",   "completed", "dispose",
                                      "dropped", "lost"};
  int attached = begin();
  if (attached < 0) return;
  PyObject *value = object_of(event->value), *result = NULL;
  uint64_t call = thread.call;
  if (value != NULL)
    result = PyObject_CallFunction(
        context, "sKKsO",
        event->type <= RAC_TRACE_LOST ? types[event->type] : "",
        (unsigned long long)event->subscription,
        (unsigned long long)event->thread, event->name, value);
  resume(call);
  if (result == NULL) keep_raised(context);
  Py_XDECREF(result);
  Py_XDECREF(value);
  end(attached);
}

static void call_log(void *context, const char *line) {
  int attached = begin();
  if (attached < 0) return;
  PyObject *text =
      PyUnicode_DecodeUTF8(line, (Py_ssize_t)strlen(line), "replace");
  PyObject *result = text ? call_object(context, text) : NULL;
  if (result == NULL) keep_raised(context);
  Py_XDECREF(result);
  Py_XDECREF(text);
  end(attached);
}

static PyObject *told(rac_status status, entry outer, const char *function) {
  if (!leave(outer)) return NULL;
  return status < 0 ? set_status(status, function) : Py_NewRef(Py_None);
}

static PyObject *set_trace(PyObject *module, PyObject *function) {
  (void)module;
  int is_set = function != Py_None;
  if (is_set && !check_callable(function, "set_trace", "function")) return NULL;
  entry outer = enter();
  rac_status status =
      is_set ? rac_set_trace(Py_NewRef(function), call_trace, drop_context)
             : rac_set_trace(NULL, NULL, NULL);
  return told(status, outer, "set_trace");
}

static PyObject *set_log(PyObject *module, PyObject *function) {
  (void)module;
  int is_set = function != Py_None;
  if (is_set && !check_callable(function, "set_log", "function")) return NULL;
  entry outer = enter();
  rac_status status =
      is_set ? rac_set_log(Py_NewRef(function), call_log, drop_context)
             : rac_set_log(NULL, NULL, NULL);
  return told(status, outer, "set_log");
}

static void add_report(void *list, const char *kind, const char *name,
                       size_t references, size_t subscribers) {
  PyObject *entry = Py_BuildValue("ssnn", kind, name, (Py_ssize_t)references,
                                  (Py_ssize_t)subscribers);
  if (entry == NULL || PyList_Append(list, entry) < 0) keep_raised(NULL);
  Py_XDECREF(entry);
}

static PyObject *report_live(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  PyObject *list = PyList_New(0);
  if (list == NULL) return NULL;
  entry outer = enter();
  rac_report_live_handles(list, add_report);
  if (!leave(outer)) Py_CLEAR(list);
  PyObject *origins = list ? origins_that_last() : NULL;
  for (Py_ssize_t i = 0; origins != NULL && i < PyList_Size(origins); i++) {
    PyObject *entry =
        Py_BuildValue("sOii", "subscription", PyList_GetItem(origins, i), 1, 0);
    if (entry == NULL || PyList_Append(list, entry) < 0) Py_CLEAR(origins);
    Py_XDECREF(entry);
  }
  if (origins == NULL) Py_CLEAR(list);
  Py_XDECREF(origins);
  return list;
}

static PyObject *version(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  return PyUnicode_FromString(rac_version_string());
}

static PyObject *reinitialize(PyObject *module, PyObject *nothing) {
  (void)module;
  (void)nothing;
  rac_status status = rac_reinitialize();
  if (status < 0) return set_status(status, "reinitialize");
  if (!set_engine_hooks()) return set_last_failure("reinitialize");
  return Py_NewRef(Py_None);
}

PyMethodDef process_functions[] = {
    FAST("close", close_engine,
         "close($module, timeout=1.0)\n"
         "--\n\n"
         "Closes the library, for good: waits for the functions that run, and "
         "none\n"
         "is called any more. Done by itself at exit.\n\n"
         "timeout: in seconds, how long to wait for them."),
    FAST("set_settle_at_exit", set_settle_at_exit,
         "set_settle_at_exit($module, timeout)\n"
         "--\n\n"
         "Has the process settle at its exit, as settle() does, after the "
         "functions\nof atexit. Without it what waits then is dropped.\n\n"
         "timeout: in seconds, at most so long; None waits for ever; 0, as at "
         "the\n    start, does not wait."),
    {"set_trace", set_trace, METH_O,
     "set_trace($module, function, /)\n"
     "--\n\n"
     "Calls function(type, subscription, thread, name, value) for each event\n"
     "of each subscription; None ends that."},
    {"set_log", set_log, METH_O,
     "set_log($module, function, /)\n--\n\nGives a function the lines of the "
     "log; None: "
     "stderr."},
    {"report_live", report_live, METH_NOARGS,
     "report_live($module, /)\n--\n\nWhat is alive: (kind, name, references, "
     "subscribers).\n\nA subscription that remembers where it was made is a "
     "'subscription' with\nthe place as its name, for as long as it lasts; see "
     "set_origins()."},
    {"version", version, METH_NOARGS,
     "version($module, /)\n--\n\nThe library's version."},
    {"reinitialize", reinitialize, METH_NOARGS,
     "reinitialize($module, /)\n--\n\nBegins anew in a forked child; done by "
     "itself."},
    {NULL, NULL, 0, NULL}};
