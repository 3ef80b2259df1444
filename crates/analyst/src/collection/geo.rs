//! Maps: what lies where. GeoJSON, tracks of walks, marks on a globe, and shapefiles with what must lie beside them.

use std::collections::BTreeMap;

use luminos_core::job::ListedFile;
use serde_json::Value;

use super::{Keeps, Look, Told, days, lacks, most};
use crate::eyes::Peek;
use crate::words::{code, some_of};

/// Larger documents are counted and not read.
const LARGEST: usize = 8 << 20;
/// So many properties are named.
const PROPERTIES: usize = 8;
/// From one degree of latitude to the next.
const METRES_A_DEGREE: f64 = 111_195.0;
/// Nothing is nested deeper.
const DEEPEST: u32 = 8;

/// A rectangle on the globe: from south and west to north and east.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Extent {
    west: f64,
    south: f64,
    east: f64,
    north: f64,
}

impl Extent {
    const NONE: Self = Self { west: f64::MAX, south: f64::MAX, east: f64::MIN, north: f64::MIN };

    fn see(&mut self, x: f64, y: f64) {
        (self.west, self.east) = (self.west.min(x), self.east.max(x));
        (self.south, self.north) = (self.south.min(y), self.north.max(y));
    }

    fn words(self) -> Option<String> {
        if self.east < self.west || !(self.west + self.south + self.east + self.north).is_finite() {
            return None;
        }
        let is_degrees =
            -180.0 <= self.west && self.east <= 180.0 && -90.0 <= self.south && self.north <= 90.0;
        Some(if is_degrees {
            let range =
                |name: &str, least: f64, most: f64| match (format!("{least:.2}"), format!("{most:.2}")) {
                    (least, most) if least == most => format!("{name} {least}"),
                    (least, most) => format!("{name} {least} to {most}"),
                };
            format!(
                "{}, {}",
                range("latitude", self.south, self.north),
                range("longitude", self.west, self.east)
            )
        } else {
            format!(
                "coordinates {:.0}, {:.0} to {:.0}, {:.0}, no degrees",
                self.west, self.south, self.east, self.north
            )
        })
    }
}

pub(super) fn look(files: &[&ListedFile], beside: &[ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let ending = head.name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        match ending.as_str() {
            "geojson" => told.extend(features(&head)),
            "gpx" | "kml" => told.extend(marks(&head)),
            "shp" => told.extend(shapes(&head, beside, peek)),
            _ => {}
        }
    }
    told
}

/// The features of a GeoJSON document; `None` for what is none.
pub(super) fn features(head: &Peek) -> Option<Told> {
    if LARGEST < head.bytes.len() {
        let count = memchr::memmem::find_iter(&head.bytes, b"\"Feature\"").count() as u64;
        return (0 < count).then(|| {
            told(head, count, "map feature", None, "more than was counted, only the beginning was read")
        });
    }
    let document: Value = serde_json::from_slice(&head.bytes).ok()?;
    let features = document.get("features")?.as_array()?;
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut names: Vec<String> = Vec::new();
    let mut extent = Extent::NONE;
    for feature in features {
        let geometry = feature.get("geometry");
        let kind = geometry.and_then(|of| of.get("type")).and_then(Value::as_str).unwrap_or("nowhere");
        *kinds.entry(kind.to_lowercase()).or_default() += 1;
        if let Some(coordinates) = geometry.and_then(|of| of.get("coordinates")) {
            walk(coordinates, &mut extent, 0);
        }
        for name in feature.get("properties").and_then(Value::as_object).into_iter().flat_map(|of| of.keys())
        {
            if names.len() < 40 && !names.contains(name) && !name.contains(['`', ';', '\n']) {
                names.push(name.clone());
            }
        }
    }
    let kinds = match kinds.first_key_value() {
        Some((only, count)) if kinds.len() == 1 => format!("{only}{}", if *count == 1 { "" } else { "s" }),
        _ => most(&kinds, 3),
    };
    let names: Vec<String> = names.iter().map(|name| code(name)).collect();
    let with = if names.is_empty() { String::new() } else { format!("with {}", some_of(&names, PROPERTIES)) };
    let parts = [kinds, with, extent.words().unwrap_or_default()];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Some(told(head, features.len() as u64, "map feature", None, &parts.join("; ")))
}

fn walk(coordinates: &Value, extent: &mut Extent, depth: u32) {
    let Some(list) = coordinates.as_array().filter(|_| depth < DEEPEST) else { return };
    match (list.first().and_then(Value::as_f64), list.get(1).and_then(Value::as_f64)) {
        (Some(x), Some(y)) => extent.see(x, y),
        _ => list.iter().for_each(|inner| walk(inner, extent, depth + 1)),
    }
}

/// The points of a track, or the marks of a KML document.
fn marks(head: &Peek) -> Option<Told> {
    let text = String::from_utf8_lossy(&head.bytes);
    let name = text.split_once("<name>").and_then(|(_, rest)| rest.split("</name>").next());
    let name = name.map(str::trim).filter(|name| !name.is_empty() && name.len() <= 80 && !name.contains('<'));
    let name = name.map(super::titles::quoted).unwrap_or_default();
    let marks = text.matches("<Placemark").count() as u64;
    if 0 < marks {
        return Some(told(head, marks, "place mark", None, &name));
    }
    let mut extent = Extent::NONE;
    let mut points = 0;
    let mut way = Way::default();
    let is_track = !text.contains("<wpt ");
    for point in text.split("<trkpt ").skip(1).chain(text.split("<wpt ").skip(1)) {
        points += 1;
        let value = |before: &str| {
            point
                .split_once(before)?
                .1
                .split('"')
                .next()?
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite())
        };
        if let (Some(lat), Some(lon)) = (value("lat=\""), value("lon=\"")) {
            extent.see(lon, lat);
            let height =
                point.split_once("<ele>").and_then(|(_, rest)| rest.split('<').next()?.trim().parse().ok());
            if is_track {
                way.go(lat, lon, height);
            }
        }
    }
    let times = || text.split("<time>").skip(1).filter_map(days::at_start);
    let period = times().min().zip(times().max()).map(|(first, last)| (days::told(first), days::told(last)));
    let parts: Vec<String> = [name, way.words().unwrap_or_default(), extent.words().unwrap_or_default()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    (0 < points).then(|| told(head, points, "track point", period, &parts.join("; ")))
}

/// How far a track goes, and how far up.
#[derive(Default)]
struct Way {
    last: Option<(f64, f64)>,
    height: Option<f64>,
    metres: f64,
    up: f64,
}

impl Way {
    fn go(&mut self, lat: f64, lon: f64, height: Option<f64>) {
        if let Some((last_lat, last_lon)) = self.last {
            // On so short a way the globe is flat.
            let east = (lon - last_lon) * lat.to_radians().cos();
            self.metres += METRES_A_DEGREE * (lat - last_lat).hypot(east);
        }
        self.last = Some((lat, lon));
        if let Some(height) = height.filter(|height: &f64| height.is_finite()) {
            self.up += (height - self.height.unwrap_or(height)).max(0.0);
            self.height = Some(height);
        }
    }

    /// `16.3 km, 119 m up`.
    fn words(&self) -> Option<String> {
        let is_way = 100.0 <= self.metres && self.metres < 10_000_000.0;
        let up = if 10.0 <= self.up { format!(", {:.0} m up", self.up) } else { String::new() };
        is_way.then(|| format!("{:.1} km{up}", self.metres / 1000.0))
    }
}

/// A shapefile by its head and the table beside it.
fn shapes(head: &Peek, beside: &[ListedFile], peek: Look<'_>) -> Vec<Told> {
    let int = |at: usize| Some(u32::from_le_bytes(head.bytes.get(at..at + 4)?.try_into().ok()?));
    let double = |at: usize| Some(f64::from_le_bytes(head.bytes.get(at..at + 8)?.try_into().ok()?));
    let kind = match int(32).map(|kind| kind % 10) {
        Some(1) => "points",
        Some(3) => "lines",
        Some(5) => "polygons",
        Some(8) => "groups of points",
        _ => return Vec::new(),
    };
    let stem = head.name.rsplit_once('.').map_or(head.name.as_str(), |(stem, _)| stem);
    let twin = |ending: &str| {
        beside.iter().find(|file| {
            let name = file.name.to_utf8().unwrap_or_default();
            name.rsplit_once('.').is_some_and(|(own, end)| own == stem && end.eq_ignore_ascii_case(ending))
        })
    };
    let table = twin("dbf").and_then(peek);
    let count =
        table.as_ref().and_then(|table| Some(u32::from_le_bytes(table.bytes.get(4..8)?.try_into().ok()?)));
    let names: Vec<String> = table.as_ref().map(|table| columns(&table.bytes)).unwrap_or_default();
    let mut parts = vec![kind.to_owned()];
    if !names.is_empty() {
        parts.push(format!("with {}", some_of(&names, PROPERTIES)));
    }
    if let (Some(west), Some(south), Some(east), Some(north)) =
        (double(36), double(44), double(52), double(60))
    {
        parts.extend(Extent { west, south, east, north }.words());
    }
    let mut all = vec![told(head, u64::from(count.unwrap_or(1)), "map feature", None, &parts.join("; "))];
    let lost: Vec<String> = ["dbf", "shx", "prj"]
        .iter()
        .filter(|ending| twin(ending).is_none())
        .map(|ending| format!(".{ending}"))
        .collect();
    if !lost.is_empty() {
        let means = if lost.iter().any(|ending| ending == ".prj") {
            ": where its coordinates lie is not said"
        } else {
            ""
        };
        let words = format!("no {} lies beside it{means}", some_of(&lost, 3));
        all.push(lacks(&head.word, words, vec![head.cite_head()]));
    }
    all
}

/// The names of the columns of a dBASE table.
fn columns(bytes: &[u8]) -> Vec<String> {
    let fields = bytes.get(32..).unwrap_or_default().chunks_exact(32).take_while(|field| field[0] != 0x0d);
    let names = fields.take(60).map(|field| {
        let name = field[..11].split(|byte| *byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(name).into_owned()
    });
    names
        .filter(|name| !name.is_empty() && !name.contains(['`', ';', '\u{fffd}']))
        .map(|name| code(&name))
        .collect()
}

fn told(head: &Peek, count: u64, noun: &str, period: Option<(String, String)>, details: &str) -> Told {
    let keeps =
        Keeps { path: head.word.clone(), count, noun: noun.to_owned(), period, details: details.to_owned() };
    Told { text: keeps.sentence(), evidence: vec![head.cite_head()] }
}
