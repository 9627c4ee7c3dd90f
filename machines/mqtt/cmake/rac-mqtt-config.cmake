include(CMakeFindDependencyMacro)
find_dependency(rac)
include("${CMAKE_CURRENT_LIST_DIR}/rac-mqtt-targets.cmake")
