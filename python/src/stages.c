/* Chains of map, filter, scan, do_next and distinct_until_changed, whose
 * functions are all Python's, run as one operator of the engine: what is
 * between them stays an object, and the engine is crossed once. The chain
 * becomes a handle when somebody needs it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stages.h"
#include "callbacks.h"
#include "cycles.h"
#include "errors.h"
#include "gil.h"
#include "notes.h"
#include "objects.h"
#include "origins.h"
#include "parsing.h"
#include "release.h"
#include "stage.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

static PyTypeObject *stages_class;

static PyObject *chain_of_stages(PyObject *object) {
  const Stages *self = (Stages *)object;
  return Py_IS_TYPE(object, stages_class)
             ? chain_until(self, self->stage + self->count)
             : NULL;
}

static PyObject *chain_in_context(PyObject *context) {
  if (context == NULL) return NULL;
  if (PyTuple_Check(context) && PyTuple_Size(context) > 0)
    context = PyTuple_GetItem(context, PyTuple_Size(context) - 1);
  else if (PyList_Check(context) && PyList_Size(context) > 0)
    context = PyList_GetItem(context, PyList_Size(context) - 1);
  if (!Py_IS_TYPE(context, operator_class)) return chain_of_stages(context);
  const Operator *self = (Operator *)context;
  if (self->name == NULL) return Py_XNewRef(self->chain);
  PyObject *chain =
      self->chain ? PyUnicode_FromFormat("%U -%s", self->chain, self->name)
                  : PyUnicode_FromString(self->name);
  if (chain == NULL) PyErr_Clear();
  return chain;
}

static rac_status run(Stages *self, PyObject **kept, rac_value value,
                      rac_value *out) {
  PyObject *object = through_all(self, kept, object_of(value));
  if (object == NULL) return PyErr_Occurred() ? fail() : RAC_OK;
  return give_value(object, out) ? RAC_OK : fail();
}

static rac_status run_step(void *context, rac_step *step, rac_value value,
                           rac_value *out) {
  if (step->event != RAC_EVENT_NEXT) return RAC_OK;
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  rac_status status = run(context, step->state, value, out);
  end(attached);
  return status;
}

static void clear_kept(void *context, void *state) {
  int attached = begin();
  if (attached < 0) return;
  for (size_t i = 0; i < ((Stages *)context)->states; i++)
    Py_XDECREF(((PyObject **)state)[i]);
  end(attached);
}

/* ---- Becoming a signal --------------------------------------------------- */

static rac_signal *one_stage(rac_signal *source, const struct stage *stage) {
  PyObject *function =
      make_operator(stage_names[stage->kind], source, stage->function);
  rac_value start;
  rac_signal *made;
  if (function == NULL) return NULL;
  switch (stage->kind) {
  case STAGE_MAP:
    return rac_signal_map(source, function, call_map, drop_context);
  case STAGE_FILTER:
    return rac_signal_filter(source, function, call_predicate, drop_context);
  case STAGE_DO:
    /* An exception of it is the stream's error here, as in a chain. */
    return rac_signal_try(source, function, call_try, drop_context);
  case STAGE_DISTINCT:
    return rac_signal_distinct_until_changed_by(source, function, call_map,
                                                drop_context);
  default:
    if (!value_of(stage->start, &start)) {
      Py_DECREF(function);
      return NULL;
    }
    made = rac_signal_scan(source, start, function, call_reduce, drop_context);
    drop_value(start);
    return made;
  }
}

/* " -map -filter", as the engine names operators. */
static PyObject *stages_description(PyObject *object) {
  Stages *self = (Stages *)object;
  PyObject *text = PyUnicode_FromString("");
  for (size_t i = 0; text != NULL && i < self->count; i++) {
    PyObject *longer =
        PyUnicode_FromFormat("%U -%s", text, stage_names[self->stage[i].kind]);
    Py_SETREF(text, longer);
  }
  return text;
}

PyObject *signal_description(PyObject *self, void *closure) {
  (void)closure;
  Handle *signal = (Handle *)self;
  if (signal->stages != NULL) {
    PyObject *source = signal_description(signal->source, NULL);
    PyObject *stages = source ? stages_description(signal->stages) : NULL;
    PyObject *text =
        stages ? PyUnicode_FromFormat("%U%U", source, stages) : NULL;
    /* Nothing is known of a source that has no name. */
    if (text != NULL && PyUnicode_GetLength(source) == 0)
      Py_SETREF(text, PyUnicode_Substring(text, 1, PY_SSIZE_T_MAX));
    Py_XDECREF(source);
    Py_XDECREF(stages);
    return text;
  }
  char few[256];
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  entry outer = enter();
  size_t length = rac_signal_describe(handle, few, sizeof few);
  char *text = length < sizeof few ? few : PyMem_Malloc(length + 1);
  if (text != NULL && text != few)
    length = rac_signal_describe(handle, text, length + 1);
  leave_quietly(outer);
  if (text == NULL) return PyErr_NoMemory();
  PyObject *described =
      PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  if (text != few) PyMem_Free(text);
  return described;
}

/* Where names are recorded, it goes by those of its stages. */
static void name_stages(Handle *signal, rac_signal *made) {
  char some[2];
  if (rac_signal_describe(made, some, sizeof some) == 0) return;
  PyObject *name = signal_description((PyObject *)signal, NULL);
  PyObject *bytes =
      name ? PyUnicode_AsEncodedString(name, "utf-8", "replace") : NULL;
  if (bytes != NULL) rac_signal_set_name(made, PyBytes_AsString(bytes));
  Py_XDECREF(bytes);
  Py_XDECREF(name);
  PyErr_Clear();
}

static void *handle_of_chain(Handle *signal) {
  Stages *stages = (Stages *)signal->stages;
  rac_signal *source = handle_of(signal->source), *made;
  if (source == NULL) return NULL;
  if (stages->chain == NULL) stages->chain = chain_of(source);
  entry outer = enter();
  if (stages->count == 1)
    made = one_stage(source, &stages->stage[0]);
  else
    made = rac_signal_step(source, stages->states * sizeof(PyObject *),
                           Py_NewRef((PyObject *)stages), run_step,
                           stages->states ? clear_kept : NULL, drop_context);
  if (!leave(outer)) {
    rac_release(made);
    return NULL;
  }
  if (made != NULL && stages->count > 1) name_stages(signal, made);
  if (made == NULL)
    set_last_failure(stage_names[stages->stage[stages->count - 1].kind]);
  else if (signal->handle != NULL) /* another thread was first */
    rac_release(made);
  else
    signal->handle = made;
  if (made != NULL && signal->handle == made)
    join_family(signal, root_of(signal));
  return made == NULL ? NULL : signal->handle;
}

/* ---- Being subscribed to ---------------------------------------------------
 *
 * Where the chain ends in a function of Python's, that is the last stage: a
 * filter runs them all, and lets nothing through. */

typedef struct {
  PyVarObject ob_base;
  Stages *stages;
  PyObject *next;
  PyObject *context; /* the stages, or what says more of the subscription */
  PyObject *kept[1]; /* of each scan */
} Pipeline;

static PyTypeObject *pipeline_class;

static rac_status run_pipeline_with(Pipeline *self, rac_value value) {
  PyObject *arguments[2] = {
      NULL, through_all(self->stages, self->kept, object_of(value))};
  if (arguments[1] == NULL) return PyErr_Occurred() ? fail() : RAC_OK;
  finish(self->context, self->next, call_with(self->next, arguments + 1, 1),
         arguments[1]);
  Py_DECREF(arguments[1]);
  return RAC_OK;
}

static rac_status run_pipeline(void *context, rac_value value, bool *out) {
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  *out = false;
  rac_status status = run_pipeline_with(context, value);
  end(attached);
  return status;
}

/* The facts of a subscription besides its stages. */
static PyObject *context_of(Stages *stages) {
  if (!are_origins_wanted()) return Py_NewRef((PyObject *)stages);
  PyObject *made = chain_context(chain_of_stages((PyObject *)stages), NULL);
  return made ? made : Py_NewRef((PyObject *)stages);
}

rac_signal *pipeline_into(Handle *signal, PyObject *next, PyObject **context) {
  Stages *stages = (Stages *)signal->stages;
  rac_signal *source = handle_of(signal->source), *made;
  if (source == NULL) return NULL;
  Pipeline *pipeline = (Pipeline *)PyType_GenericAlloc(
      pipeline_class, (Py_ssize_t)stages->states);
  if (pipeline == NULL) return NULL;
  if (stages->chain == NULL) stages->chain = chain_of(source);
  pipeline->stages = (Stages *)Py_NewRef((PyObject *)stages);
  pipeline->next = Py_NewRef(next);
  pipeline->context = context_of(stages);
  *context = Py_NewRef(pipeline->context);
  entry outer = enter();
  made = rac_signal_filter(source, pipeline, run_pipeline, drop_context);
  leave_quietly(outer);
  if (made == NULL) {
    Py_CLEAR(*context);
    set_last_failure("Signal.subscribe");
  }
  return made;
}

static int pipeline_traverse(PyObject *object, visitproc visit, void *arg) {
  Pipeline *self = (Pipeline *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT((PyObject *)self->stages);
  Py_VISIT(self->next);
  Py_VISIT(self->context);
  for (size_t i = 0; self->stages != NULL && i < self->stages->states; i++)
    Py_VISIT(self->kept[i]);
  return 0;
}

static void pipeline_dealloc(PyObject *object) {
  Pipeline *self = (Pipeline *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  for (size_t i = 0; self->stages != NULL && i < self->stages->states; i++)
    Py_XDECREF(self->kept[i]);
  Py_XDECREF((PyObject *)self->stages);
  Py_XDECREF(self->next);
  Py_XDECREF(self->context);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

/* ---- Adding one ---------------------------------------------------------- */

static PyObject *with_stage(PyObject *self, enum stage_kind kind,
                            PyObject *function, PyObject *start) {
  Handle *signal = (Handle *)self;
  Stages *before = (Stages *)signal->stages;
  size_t count = before ? before->count : 0;
  if (signal->handle == NULL && before == NULL && handle_of(self) == NULL)
    return NULL;
  Handle *made = (Handle *)PyType_GenericAlloc(classes[CLASS_SIGNAL], 0);
  if (made == NULL) return NULL;
  Stages *stages =
      (Stages *)PyType_GenericAlloc(stages_class, (Py_ssize_t)count);
  if (stages == NULL) {
    Py_DECREF(made);
    return NULL;
  }
  for (size_t i = 0; i < count; i++) {
    stages->stage[i] = before->stage[i];
    Py_XINCREF(stages->stage[i].function);
    Py_XINCREF(stages->stage[i].start);
  }
  stages->stage[count] =
      (struct stage){kind, Py_XNewRef(function), Py_XNewRef(start)};
  stages->count = count + 1;
  stages->states = (before ? before->states : 0) + (size_t)has_state(kind);
  made->stages = (PyObject *)stages;
  made->source = Py_NewRef(before ? signal->source : self);
  return (PyObject *)made;
}

static PyObject *of_function(enum stage_kind kind, const char *shown,
                             const char *name, PyObject *self,
                             PyObject *const *args, Py_ssize_t count,
                             PyObject *keywords) {
  const char *const names[] = {name};
  PyObject *function;
  if (!take_arguments(shown, names, 1, 1, args, count, keywords, &function) ||
      !check_callable(function, shown, name))
    return NULL;
  return with_stage(self, kind, function, NULL);
}

PyObject *signal_map(PyObject *self, PyObject *const *args, Py_ssize_t count,
                     PyObject *keywords) {
  return of_function(STAGE_MAP, "Signal.map", "transform", self, args, count,
                     keywords);
}

PyObject *signal_filter(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords) {
  return of_function(STAGE_FILTER, "Signal.filter", "predicate", self, args,
                     count, keywords);
}

PyObject *signal_do_next(PyObject *self, PyObject *const *args,
                         Py_ssize_t count, PyObject *keywords) {
  return of_function(STAGE_DO, "Signal.do_next", "action", self, args, count,
                     keywords);
}

PyObject *signal_distinct_by(PyObject *self, PyObject *const *args,
                             Py_ssize_t count, PyObject *keywords) {
  return of_function(STAGE_DISTINCT, "Signal.distinct_until_changed", "key",
                     self, args, count, keywords);
}

/* Below functions of Python's a stage as well; else the engine compares. */
PyObject *signal_distinct(PyObject *self, PyObject *nothing) {
  (void)nothing;
  if (((Handle *)self)->stages != NULL)
    return with_stage(self, STAGE_DISTINCT, NULL, NULL);
  void *source = handle_of(self);
  if (source == NULL) return NULL;
  entry outer = enter();
  rac_signal *made = rac_signal_distinct_until_changed(source);
  leave_quietly(outer);
  PyObject *signal =
      wrap(classes[CLASS_SIGNAL], made, "Signal.distinct_until_changed");
  if (signal != NULL) descend((Handle *)signal, (Handle *)self);
  return signal;
}

PyObject *signal_scan(PyObject *self, PyObject *const *args, Py_ssize_t count,
                      PyObject *keywords) {
  static const char *const names[] = {"accumulator", "seed"};
  PyObject *given[2];
  if (!take_arguments("Signal.scan", names, 2, 2, args, count, keywords, given))
    return NULL;
  if (!PyCallable_Check(given[0]) && PyCallable_Check(given[1])) {
    PyErr_SetString(PyExc_TypeError, "Signal.scan(): the order of arguments is "
                                     "Signal.scan(accumulator, seed)");
    return NULL;
  }
  return check_callable(given[0], "Signal.scan", "accumulator")
             ? with_stage(self, STAGE_SCAN, given[0], given[1])
             : NULL;
}

/* ---- The class ----------------------------------------------------------- */

static int stages_traverse(PyObject *object, visitproc visit, void *arg) {
  Stages *self = (Stages *)object;
  Py_VISIT(Py_TYPE(object));
  for (size_t i = 0; i < self->count; i++) {
    Py_VISIT(self->stage[i].function);
    Py_VISIT(self->stage[i].start);
  }
  return 0;
}

static void stages_dealloc(PyObject *object) {
  Stages *self = (Stages *)object;
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  for (size_t i = 0; i < self->count; i++) {
    Py_XDECREF(self->stage[i].function);
    Py_XDECREF(self->stage[i].start);
  }
  Py_XDECREF(self->chain);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

int make_stages(void) {
  static PyType_Slot slots[] = {{Py_tp_traverse, (void *)stages_traverse},
                                {Py_tp_dealloc, (void *)stages_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {"librac.Stages", sizeof(Stages),
                             sizeof(struct stage),
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             slots};
  static PyType_Slot pipeline_slots[] = {
      {Py_tp_traverse, (void *)pipeline_traverse},
      {Py_tp_dealloc, (void *)pipeline_dealloc},
      {0, NULL}};
  static PyType_Spec pipeline_spec = {"librac.Pipeline", sizeof(Pipeline),
                                      sizeof(PyObject *),
                                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                          Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                      pipeline_slots};
  run_stages = handle_of_chain;
  chain_in = chain_in_context;
  stages_class = (PyTypeObject *)PyType_FromSpec(&spec);
  pipeline_class = (PyTypeObject *)PyType_FromSpec(&pipeline_spec);
  return stages_class != NULL && pipeline_class != NULL;
}
