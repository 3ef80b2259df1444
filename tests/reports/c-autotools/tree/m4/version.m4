dnl The one place for the version; tools/release.sh edits it.
m4_define([galena_major], [1])
m4_define([galena_minor], [9])
m4_define([galena_micro], [3])
m4_define([GALENA_VERSION], [1.9.3])
