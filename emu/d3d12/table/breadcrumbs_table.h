/*
 * Command lists that leave breadcrumbs: they have method tables of their own, which call the
 * ordinary method and then note the operation, so that lists without breadcrumbs pay nothing.
 *
 * Every call that D3D12_AUTO_BREADCRUMB_OP has a name for is one operation while the list records:
 * also a call that the emulator drops after a message, because the application's calls are counted.
 * Predication, begins and ends of queries, render passes and state are not operations.
 */
#pragma once

#include "list/command_list.h"

/* Gives a new list one of these tables if its device has breadcrumbs on. The list still has its
 * plain table, and may be open. Without memory it stays as it is. */
void command_list_attach_breadcrumbs(struct d3d12_command_list *list);
