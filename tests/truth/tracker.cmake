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
  file(GLOB truth_vulkan CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/vulkan*.c" "${CMAKE_CURRENT_LIST_DIR}/../vulkan/mock*.c")
  add_executable(test-truth-vulkan ${truth_vulkan} "${CMAKE_CURRENT_LIST_DIR}/../vulkan/app.c"
    "${CMAKE_CURRENT_LIST_DIR}/tracker_truth.c" "${CMAKE_CURRENT_LIST_DIR}/tracker_check.c")
  target_include_directories(test-truth-vulkan PRIVATE "${CMAKE_CURRENT_LIST_DIR}/../vulkan")
  target_link_libraries(test-truth-vulkan PRIVATE vulkan_layer_objects annot_reader_static annot_flags)
  annot_add_test(truth-vulkan tools $<TARGET_FILE:test-truth-vulkan> --programs 200 --seed 1)
endif()
