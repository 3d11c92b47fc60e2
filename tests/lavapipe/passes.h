/* Draws for the scene: a pipeline of a vertex shader that nothing is rasterised of, in a render
 * pass and in dynamic rendering. */
#pragma once

#include <vulkan/vulkan.h>

#include <stdbool.h>
#include <stdint.h>

/* Ends the program when it failed. */
void check(VkResult result, const char *what);

void passes_open(VkDevice device, VkPipelineLayout layout);
void passes_close(void);

void passes_begin(VkCommandBuffer commands, bool is_dynamic);
void passes_end(VkCommandBuffer commands);
bool passes_are_open(void); /* between the two */

/* Behind vkCmdPushConstants and descriptor sets. With `is_long`, so many vertices that a shader
 * that waits in each of them doesn't end by itself. */
void passes_draw(VkCommandBuffer commands, bool is_long);
