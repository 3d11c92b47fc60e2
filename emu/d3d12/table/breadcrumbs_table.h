/*
 * Command lists that leave breadcrumbs. They have a method table of their own, which calls the
 * ordinary method and then notes the operation; so lists without breadcrumbs have no cost.
 *
 * While the list records, every call with a name in D3D12_AUTO_BREADCRUMB_OP is one operation. A
 * call that the emulator drops after a message counts too, because the application's calls are
 * counted. Predication, begins and ends of queries, render passes and state are not operations.
 */
#pragma once

#include "list/command_list.h"

/* Gives a new list this table if its device has breadcrumbs on. The list must still have the plain
 * one, and may be open. Without memory it keeps the plain one. */
void command_list_attach_breadcrumbs(struct d3d12_command_list *list);
