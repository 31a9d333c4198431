// Refuses a process that holds two copies of the client library, or two Swift runtimes under one copy.
//
// Each copy has types of its own under the same names. Where the linker has mixed them, a value of one copy is
// read with the layout of the other: a coordinate comes out invalid, a cast to CLLocation gives nil. Nothing in
// the process would report that, so the process ends before its main program begins.
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { copyNote = 1, refusalStatus = 127 };

// The mark of a copy: a note of the ELF object that it is linked into. A stripped program keeps it.
struct Note {
  ElfW(Nhdr) header;
  char name[12];
};

__attribute__((section(".note.binnacle"), used, aligned(4))) static const struct Note mark = {
    .header = {.n_namesz = sizeof "Binnacle", .n_descsz = 0, .n_type = copyNote},
    .name = "Binnacle",
};

struct Copies {
  int count;
  char paths[2][512];
};

static size_t padded(size_t size, size_t alignment) { return (size + alignment - 1) / alignment * alignment; }

// Whether a segment of notes holds the mark.
static int holds_mark(const char *notes, size_t size, size_t alignment) {
  if (alignment < 4) alignment = 4;
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    memcpy(&header, notes, sizeof header);
    const size_t name = padded(sizeof header + header.n_namesz, alignment);
    const size_t length = padded(name + header.n_descsz, alignment);
    if (header.n_type == copyNote && header.n_namesz == mark.header.n_namesz &&
        memcmp(notes + sizeof header, mark.name, header.n_namesz) == 0)
      return 1;
    if (length > size) return 0;
    notes += length;
    size -= length;
  }
  return 0;
}

static int count_copy(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  struct Copies *copies = context;
  for (int index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_NOTE) continue;
    const char *notes = (const char *)(object->dlpi_addr + segment->p_vaddr);
    if (!holds_mark(notes, segment->p_memsz, segment->p_align)) continue;
    if (copies->count < 2) {
      const char *path = object->dlpi_name[0] ? object->dlpi_name : "the program itself";
      snprintf(copies->paths[copies->count], sizeof copies->paths[0], "%s", path);
    }
    copies->count++;
    break;
  }
  return 0;
}

// Whether the main program was linked with --static-swift-stdlib and with the shared CoreLocation: its own Swift
// runtime is then beside libswiftCore.so, which CoreLocation has brought. Such a program needs the library and not
// libswiftCore.so.
static int has_second_runtime(void) {
  const struct link_map *program = _r_debug.r_map;
  const char *names = NULL;
  for (const ElfW(Dyn) *entry = program->l_ld; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_STRTAB) names = (const char *)entry->d_un.d_ptr;
  // Where the dynamic section is read-only the loader leaves addresses as they are in the file.
  if (names != NULL && (ElfW(Addr))names < program->l_addr) names += program->l_addr;
  int needs_library = 0, needs_runtime = 0;
  for (const ElfW(Dyn) *entry = program->l_ld; names != NULL && entry->d_tag != DT_NULL; entry++) {
    if (entry->d_tag != DT_NEEDED) continue;
    const char *name = names + entry->d_un.d_val;
    needs_library |= strcmp(name, "libCoreLocation.so") == 0;
    needs_runtime |= strcmp(name, "libswiftCore.so") == 0;
  }
  return needs_library && !needs_runtime;
}

__attribute__((constructor)) static void refuse_second_copy(void) {
  struct Copies copies = {0};
  dl_iterate_phdr(count_copy, &copies);
  if (copies.count > 1) {
    dprintf(STDERR_FILENO,
            "CoreLocation: Binnacle's client library is in this process twice: in %s and in %s. Values would be "
            "wrong without notice. Either list the package binnacle in Package.swift or build with Binnacle's "
            "toolset, not both; a library product that imports CoreLocation must not be .dynamic beside a "
            "program that does, too.\n",
            copies.paths[0], copies.paths[1]);
    _exit(refusalStatus);
  }
  if (has_second_runtime()) {
    dprintf(STDERR_FILENO,
            "CoreLocation: this program was linked with --static-swift-stdlib and Binnacle's toolset, whose "
            "library needs the shared Swift runtime. Leave --static-swift-stdlib away, or list the package "
            "binnacle in Package.swift instead of using the toolset.\n");
    _exit(refusalStatus);
  }
}
