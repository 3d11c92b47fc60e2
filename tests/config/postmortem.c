/* Settings of DRED and of dump files act on devices that are made under them, over what the
 * program says [ANN-DRED-03, ANN-FILE-05, -10; facts of d3dconfig]. */
#include "stage.h"

#include <annot/reader.h>

#include <unistd.h>

TestSuite(postmortem, .fini = stage_clear);

static void enable(D3D12_DRED_ENABLEMENT crumbs, D3D12_DRED_ENABLEMENT faults)
{
    ID3D12DeviceRemovedExtendedDataSettings *settings = NULL;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings, (void **)&settings));
    ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement(settings, crumbs);
    ID3D12DeviceRemovedExtendedDataSettings_SetPageFaultEnablement(settings, faults);
    ID3D12DeviceRemovedExtendedDataSettings_Release(settings);
}

/* A new device that is not removed answers 0x887A0022 where that part is on, 0x887A0004 where it is
 * off. */
static void expect_dred(bool crumbs_on, bool faults_on)
{
    D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT crumbs;
    D3D12_DRED_PAGE_FAULT_OUTPUT fault;
    ID3D12Device *device = stage_device();
    ID3D12DeviceRemovedExtendedData *data = AS(ID3D12DeviceRemovedExtendedData, device);
    cr_expect_eq((unsigned)ID3D12DeviceRemovedExtendedData_GetAutoBreadcrumbsOutput(data, &crumbs),
                 crumbs_on ? 0x887A0022u : 0x887A0004u);
    cr_expect_eq((unsigned)ID3D12DeviceRemovedExtendedData_GetPageFaultAllocationOutput(data,
                                                                                        &fault),
                 faults_on ? 0x887A0022u : 0x887A0004u);
    RELEASE(data, device);
}

Test(postmortem, dred_settings_win_over_the_program)
{
    stage_use("a.ini");
    stage_write_text("a.ini", "[dred]\nauto-breadcrumbs=forced-on\npage-faults=forced-off\n");
    enable(D3D12_DRED_ENABLEMENT_FORCED_OFF, D3D12_DRED_ENABLEMENT_FORCED_ON);
    expect_dred(true, false);
    stage_write_text("a.ini", "[dred]\nauto-breadcrumbs=forced-off\npage-faults=forced-on\n");
    enable(D3D12_DRED_ENABLEMENT_FORCED_ON, D3D12_DRED_ENABLEMENT_FORCED_OFF);
    expect_dred(false, true);
    stage_write_text("a.ini", "[dred]\nauto-breadcrumbs=system-controlled\n");
    expect_dred(true, false); /* the program's word again */
}

static void remove_device(const char *dump_path)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.dump_path = dump_path;
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    ID3D12Device *device = NULL;
    MUST(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    ID3D12Device5 *newer = AS(ID3D12Device5, device);
    ID3D12Device5_RemoveDevice(newer);
    RELEASE(newer, device);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

/* Removes a device that has a dump's path; blobs that the dump has, -1: there is no dump. */
static int blobs_of_dump(void)
{
    const char *path = stage_path("dump.annotdmp");
    annot_reader *reader = NULL;
    remove(path);
    remove_device(path);
    if (access(path, F_OK) != 0)
        return -1;
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    const int count = (int)annot_reader_blob_count(reader);
    annot_reader_close(reader);
    return count;
}

Test(postmortem, dump_settings_decide_about_blobs_and_the_file)
{
    stage_use("a.ini");
    stage_write_text("a.ini", "");
    cr_expect_gt(blobs_of_dump(), 0);
    stage_write_text("a.ini", "[device]\ndump-file-driver-options=8\nretain-dump-file=true\n");
    cr_expect_eq(blobs_of_dump(), 0, "NO_DATA");
    stage_write_text("a.ini", "[device]\nretain-dump-file=false\n");
    cr_expect_eq(blobs_of_dump(), -1);
}

/* Nobody named a path: the user's word decides whether a dump stays in the system's folder. */
Test(postmortem, retaining_dumps_needs_no_program_that_asks)
{
    char folder[512];
    stage_use("a.ini");
    setenv("XDG_STATE_HOME", stage_folder(), 1);
    unsetenv("EMU_DUMP");
    snprintf(folder, sizeof folder, "%s/annot/dumps", stage_folder());
    stage_write_text("a.ini", "[device]\nretain-dump-file=false\n");
    remove_device(NULL);
    cr_expect_neq(access(folder, F_OK), 0);
    stage_write_text("a.ini", "[device]\nretain-dump-file=true\n");
    remove_device(NULL);
    cr_expect_eq(access(folder, F_OK), 0);
}
