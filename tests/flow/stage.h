/* A stage for flow tests: a script of D3D12 calls is played on the emulator, and the dump of the
 * hang is turned into a transcript, with the public reader only.
 *
 * Script: one command per line or `;`.
 *
 *     queue Q [direct|compute|copy]     list L [direct|compute]    bundle B     fence F
 *     begin X TEXT   end X   set X TEXT     X: a list, bundle or queue; TEXT: the rest of the line
 *     nest X N       N scopes called "depth 1", "depth 2", ...       unnest X N     N ends
 *     fill X N TEXT  N markers called TEXT
 *     work L         real work: a dispatch that fills a buffer
 *     spin L         a dispatch that never ends
 *     touch L        a dispatch that writes to an unmapped address
 *     call L B       ExecuteBundle
 *     close L        Close
 *     exec Q L...    ExecuteCommandLists
 *     signal Q F N   wait Q F N
 *     reset L        resets the list's allocator
 *     reopen L       resets the list onto its allocator
 *     run            until every queue is idle or the device is removed
 */
#pragma once

#include <emu/emu.h>

#include <stdint.h>

/* Plays the script in seeded order with this configuration (its order and dump_path are the
 * stage's). Any call that fails before the device is removed fails the test. */
void stage_play(const emu_config *config, const char *script, const char *dump_path);

/* Returns the dump's statements, as text that the caller frees:
 *
 *     stop Q #1 L: Frame / Shadow pass          one line per stop; "(no marker)" without a path
 *     queue Q: stopped
 *     [>] Queue scope
 *       [>] #1
 *         [>] L
 *           [X] Depth
 *           [>] bundle B
 *             [>] In the bundle
 *           end                                 an EndEvent that closes nothing in its own list
 */
char *transcript_of_dump(const char *path);

/* A removal's identity: its GUID, its time, and the kernel's own report. */
struct removal_id {
    uint8_t guid[16];
    uint64_t time;
    char kernel[8]; /* how the kernel's blob begins; zeros: there is none */
};
struct removal_id removal_of_dump(const char *path);

/* How many markers the dump says were not retained. */
uint64_t dropped_markers(const char *path);
