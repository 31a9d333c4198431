struct FileDescriptor {}
