# The loops of other libraries, in which librac runs by way of a header of its own:
# PkgConfig::glib and PkgConfig::uv, where they are installed. librac itself needs
# neither.

find_package(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(glib QUIET IMPORTED_TARGET glib-2.0)
  pkg_check_modules(uv QUIET IMPORTED_TARGET libuv)
endif()
foreach(missing glib uv)
  if(NOT TARGET PkgConfig::${missing})
    message(WARNING "No ${missing}: nothing is built or tested with rac_${missing}.h")
  endif()
endforeach()

# rac_loop_of(NAME RESULT): what a program with this name needs: uv_… and glib_…
function(rac_loop_of name result)
  set(${result} "" PARENT_SCOPE)
  if(name MATCHES "^(glib|uv)(_|$)")
    set(${result} "PkgConfig::${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()
