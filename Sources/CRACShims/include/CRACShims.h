// All that Swift cannot say in every build: thread-locals, system calls
// without the Glibc overlay (Embedded Swift has none), and printf.
// Nothing here knows what a signal is.
//
// This is for Swift, which imports all of it: the shims include the layers that
// they use. The lowest come first, and each includes only those above it here.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_SHIMS_H
#define CRAC_SHIMS_H

// clang-format off
#include "CRACPlatform.h"
#include "CRACText.h"
#include "CRACState.h"
#include "CRACTime.h"
#include "CRACSlabs.h"
#include "CRACRecord.h"
#include "CRACRecording.h"
#include "CRACRecordingFile.h"
#include "CRACRecordedTexts.h"
#include "CRACRecordedPlaces.h"
#include "CRACRecordedEvents.h"
#include "CRACRecordedNodes.h"
#include "CRACRecordedStages.h"
#include "CRACStack.h"
#include "CRACWaiting.h"
#include "CRACSlabRanges.h"
#include "CRACCaches.h"
#include "CRACReserve.h"
#include "CRACAllocation.h"
#include "CRACProgram.h"
#include "CRACObjects.h"
#include "CRACThreads.h"
#include "CRACDescriptors.h"
#include "CRACProcess.h"
#include "CRACRecorder.h"
// clang-format on

#endif
