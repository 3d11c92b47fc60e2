# Random programs for layers that act as the driver, against GPUs of the suite's own: dumps say what these did.
if(WIN32) # no aligned_alloc; the tracker is the same there
  return()
endif()
file(GLOB truth_tracker CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/tracker*.c")
add_executable(test-truth-tracker ${truth_tracker})
target_include_directories(test-truth-tracker PRIVATE "${CMAKE_CURRENT_LIST_DIR}/..")
target_link_libraries(test-truth-tracker PRIVATE annot_reader_static annot_flags)
annot_add_test(truth-tracker tools ${run} $<TARGET_FILE:test-truth-tracker> --programs 500 --seed 1)

# The Vulkan layer, on the driver of tests/vulkan.
if(TARGET vulkan_layer_objects)
  file(GLOB truth_mock CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/../vulkan/mock*.c")
  file(GLOB truth_vulkan CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/vulkan*.c")
  set(truth_bindings "${CMAKE_CURRENT_LIST_DIR}/bindings.c" "${CMAKE_CURRENT_LIST_DIR}/bindings_check.c")
  add_executable(test-truth-vulkan ${truth_vulkan} ${truth_mock} "${CMAKE_CURRENT_LIST_DIR}/../vulkan/app.c"
    "${CMAKE_CURRENT_LIST_DIR}/tracker_main.c"
    "${CMAKE_CURRENT_LIST_DIR}/tracker_truth.c" "${CMAKE_CURRENT_LIST_DIR}/tracker_check.c")
  target_include_directories(test-truth-vulkan PRIVATE "${CMAKE_CURRENT_LIST_DIR}/../vulkan")
  target_link_libraries(test-truth-vulkan PRIVATE vulkan_layer_objects annot_reader_static annot_flags)
  annot_add_test(truth-vulkan tools $<TARGET_FILE:test-truth-vulkan> --programs 200 --seed 1)

  # Bindings, states and barriers on it; and on the system's driver, below the system's loader.
  add_executable(test-truth-bindings-vulkan ${truth_bindings} "${CMAKE_CURRENT_LIST_DIR}/bindings_vulkan.c"
    "${CMAKE_CURRENT_LIST_DIR}/bindings_driver.c" ${truth_mock} "${CMAKE_CURRENT_LIST_DIR}/../vulkan/app.c")
  target_include_directories(test-truth-bindings-vulkan PRIVATE "${CMAKE_CURRENT_LIST_DIR}/../vulkan")
  target_link_libraries(test-truth-bindings-vulkan PRIVATE vulkan_layer_objects annot_reader_static annot_flags ${CMAKE_DL_LIBS})
  annot_add_test(truth-bindings-vulkan tools $<TARGET_FILE:test-truth-bindings-vulkan> --programs 300 --seed 1)
endif()
