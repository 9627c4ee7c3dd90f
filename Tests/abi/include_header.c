/* Compiled, never run: the header alone, twice, with its initialisers. */
#include "rac.h"
#include "rac.h" /* the include guard */

rac_observer observer = RAC_OBSERVER_INIT;
rac_object_class object_class = RAC_OBJECT_CLASS_INIT;
rac_status status = RAC_OK;
size_t capacity = RAC_REPLAY_UNLIMITED;
