const std = @import("std");

pub fn build(b: *std.Build) void {
    const target = b.standardTargetOptions(.{});
    const optimize = b.standardOptimizeOption(.{});

    const exe = b.addExecutable(.{
        .name = "sift",
        .root_source_file = b.path("src/main.zig"),
        .target = target,
        .optimize = optimize,
    });
    exe.linkLibC();
    exe.addIncludePath(b.path("vendor/fasthash"));
    exe.addCSourceFile(.{ .file = b.path("vendor/fasthash/fasthash.c"), .flags = &.{"-O2"} });
    b.installArtifact(exe);

    const run = b.addRunArtifact(exe);
    if (b.args) |args| run.addArgs(args);
    b.step("run", "Run sift").dependOn(&run.step);

    const tests = b.addTest(.{ .root_source_file = b.path("src/main.zig"), .target = target });
    tests.linkLibC();
    tests.addIncludePath(b.path("vendor/fasthash"));
    tests.addCSourceFile(.{ .file = b.path("vendor/fasthash/fasthash.c"), .flags = &.{} });
    b.step("test", "Run all tests").dependOn(&b.addRunArtifact(tests).step);
}
