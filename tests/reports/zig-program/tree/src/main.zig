//! sift: files with the same content, and the room that their duplicates take.
const std = @import("std");
const walk = @import("walk.zig");
const group = @import("group.zig");

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    defer arena.deinit();
    const allocator = arena.allocator();

    const args = try std.process.argsAlloc(allocator);
    if (args.len != 2) {
        std.debug.print("usage: sift FOLDER\n", .{});
        std.process.exit(2);
    }
    const files = try walk.files(allocator, args[1]);
    const groups = try group.bySizeAndContent(allocator, files);
    const out = std.io.getStdOut().writer();
    var freed: u64 = 0;
    for (groups) |one| {
        try out.print("{d} × {d} bytes  {s}\n", .{ one.paths.len, one.size, one.paths[0] });
        freed += one.size * (one.paths.len - 1);
    }
    try out.print("{d} bytes could be freed\n", .{freed});
}

test {
    _ = walk;
    _ = group;
}
