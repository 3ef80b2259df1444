//! The order that a [`Scan`] promises, and the totals that follow from it.

use super::{DirId, DirRecord, FileId, FileRecord, Kind, Scan};

impl Scan {
    /// Sorts everything into its place and sums up the totals.
    ///
    /// Before, directories may stand in any order, if only the target is the first; `parent` and `dir` are
    /// places in that order, descriptions may be numbered in any way. The same tree ends up the same, byte for
    /// byte, whatever came first. Records are moved in place: there may be a million of them.
    pub fn put_in_order(&mut self) {
        let dir_order = self.preorder();
        let dir_places = inverse(&dir_order);
        let files = self.files.iter().map(|file| (file.dir, self.name(file.name)));
        let siblings = Siblings::group(self.dirs.len(), files);
        let file_order: Vec<u32> = dir_order.iter().flat_map(|&dir| siblings.of(dir)).copied().collect();
        drop(siblings);
        let file_places = inverse(&file_order);

        for dir in &mut self.dirs {
            dir.parent = DirId(dir_places[dir.parent.0 as usize]);
        }
        for file in &mut self.files {
            file.dir = DirId(dir_places[file.dir.0 as usize]);
        }
        for embedded in &mut self.embedded {
            embedded.file = FileId(file_places[embedded.file.0 as usize]);
        }
        permute(&mut self.dirs, dir_places);
        permute(&mut self.files, file_places);
        self.embedded.sort_unstable_by_key(|embedded| (embedded.file, embedded.language));
        self.problems.sort_unstable();
        self.skipped.sort_unstable();
        self.order_names();
        self.order_descriptions();
        self.sum_up();
    }

    /// All directories, parents before children, siblings by name. Deep trees make no deep stack.
    fn preorder(&self) -> Vec<u32> {
        let below = self.dirs.iter().skip(1);
        let siblings = Siblings::group(self.dirs.len(), below.map(|dir| (dir.parent, self.name(dir.name))));
        let mut order = Vec::with_capacity(self.dirs.len());
        let mut waiting = vec![0];
        while let Some(dir) = waiting.pop() {
            order.push(dir);
            // The target itself was left out of the grouping.
            waiting.extend(siblings.of(dir).iter().rev().map(|&place| place + 1));
        }
        order
    }

    /// Writes the names anew in the order of the records.
    fn order_names(&mut self) {
        let mut names = Vec::with_capacity(self.names.len());
        let dirs = self.dirs.iter_mut().map(|dir| &mut dir.name);
        for name in dirs.chain(self.files.iter_mut().map(|file| &mut file.name)) {
            let start = name.start as usize;
            name.start = names.len() as u32;
            names.extend_from_slice(&self.names[start..start + usize::from(name.len)]);
        }
        self.names = names;
    }

    /// Puts descriptions in the order in which files use them, and leaves out those that none uses.
    fn order_descriptions(&mut self) {
        let mut numbers = vec![0; self.descriptions.len() + 1];
        let mut descriptions = Vec::new();
        for file in self.files.iter_mut().filter(|file| file.description != 0) {
            let number = &mut numbers[file.description as usize];
            if *number == 0 {
                descriptions.push(std::mem::take(&mut self.descriptions[file.description as usize - 1]));
                *number = descriptions.len() as u32;
            }
            file.description = *number;
        }
        self.descriptions = descriptions;
    }

    /// Fills in what a directory knows of its place, its files and its subtree.
    fn sum_up(&mut self) {
        let Self { dirs, files, .. } = self;
        for dir in dirs.iter_mut() {
            *dir = DirRecord { own_files: 0, files: 0, bytes: 0, ..dir.clone() };
        }
        for FileRecord { dir, kind, size, .. } in &*files {
            let dir = &mut dirs[dir.0 as usize];
            dir.own_files += 1;
            if *kind == Kind::File {
                dir.files += 1;
                dir.bytes += size;
            }
        }
        let mut first_file = 0;
        for place in 0..dirs.len() {
            let depth = if place == 0 { 0 } else { dirs[dirs[place].parent.0 as usize].depth + 1 };
            let dir = &mut dirs[place];
            dir.depth = depth;
            dir.subtree_end = place as u32 + 1;
            dir.first_file = first_file;
            first_file += dir.own_files;
        }
        for place in (1..dirs.len()).rev() {
            let DirRecord { parent, subtree_end, files, bytes, .. } = dirs[place];
            let parent = &mut dirs[parent.0 as usize];
            parent.subtree_end = parent.subtree_end.max(subtree_end);
            parent.files += files;
            parent.bytes += bytes;
        }
    }
}

/// Entries by the directory they lie in, and there by name. Each directory is sorted alone: its names came
/// one after another and are mostly in order already.
struct Siblings {
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Siblings {
    fn group<'a>(dirs: usize, entries: impl Iterator<Item = (DirId, &'a [u8])> + Clone) -> Self {
        let mut starts = vec![0; dirs + 1];
        for (dir, _) in entries.clone() {
            starts[dir.0 as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut named: Vec<(&[u8], u32)> = vec![(&[], 0); starts[dirs] as usize];
        for (place, (dir, name)) in (0..).zip(entries) {
            let slot = &mut next[dir.0 as usize];
            named[*slot as usize] = (name, place);
            *slot += 1;
        }
        for bounds in starts.windows(2) {
            named[bounds[0] as usize..bounds[1] as usize].sort_unstable();
        }
        Self { starts, places: named.into_iter().map(|(_, place)| place).collect() }
    }

    fn of(&self, dir: u32) -> &[u32] {
        let dir = dir as usize;
        &self.places[self.starts[dir] as usize..self.starts[dir + 1] as usize]
    }
}

/// Where each element of an order ends up.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &before) in (0..).zip(order) {
        places[before as usize] = place;
    }
    places
}

/// Brings each element to its place by swapping, so that no second copy of all is needed.
fn permute<T>(elements: &mut [T], mut places: Vec<u32>) {
    for at in 0..elements.len() {
        while places[at] as usize != at {
            let to = places[at] as usize;
            elements.swap(at, to);
            places.swap(at, to);
        }
    }
}
