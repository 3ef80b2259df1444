//! Tables as portals offer them: every mark, every order of days, every kind of slip.

use std::fmt::Write as _;

use super::{put_bytes, tells};
use crate::collection::days;
use crate::fixture::put;

#[test]
fn a_table_is_read_in_the_form_it_is_written_in() {
    let target = tempfile::tempdir().unwrap();
    let mut water = "\u{feff}Datum;Ort;Keime;Grad;Bemerkung\r\n".to_owned();
    let first = days::number(2019, 5, 1).unwrap();
    for row in 0..60 {
        let day = days::told(first + row * 20);
        let day = if row < 40 { format!("{}.{}.{}", &day[8..], &day[5..7], &day[..4]) } else { day };
        let germs = if row % 6 == 0 { "<10".to_owned() } else { (20 + row % 5).to_string() };
        write!(water, "{day};{};{germs};1{},5;\r\n", ["Letten", "Utoquai"][row as usize % 2], row % 9)
            .unwrap();
    }
    put(&target, "water/bathing.csv", &water);
    put_bytes(&target, "air/stations.csv", b"station_id;name\r\nS1;Z\xfcrich\r\nS2;Gen\xe8ve\r\nS3;Bern\r\n");
    let mut air = "day,station_id,no2,opened\n".to_owned();
    for row in 0..90 {
        let no2 = if row == 41 { 9999 } else { 10 + row % 30 };
        writeln!(air, "{},S{},{no2},1975-03-0{}", days::told(first + row / 3), row % 3 + 1, row % 9 + 1)
            .unwrap();
    }
    put(&target, "air/measured.csv", &air);
    put(
        &target,
        "notes/quoted.csv",
        "id,text\n1,\"two\nlines, and a comma\"\n2,plain\n3,\"a \"\"word\"\"\"\n",
    );
    put(&target, "years/budget.csv", "item,2022,2023\nRent,2000,2100\nFood,800,850\n");
    put(&target, "bare/rows.csv", "1,2.5,a\n2,3.5,b\n3,4.5,c\n4,1.5,d\n");
    tells(
        &target,
        &[
            "`bathing.csv`, 2019-05-01 to 2022-07-24 (60 rows; 2 different `Ort` (Letten, Utoquai); `Grad` 10.5 to 18.5; also `Keime`)",
            "`Datum` writes days in several ways: 20 like 2024-12-31 and 40 like 31.12.2024",
            "`Keime` holds numbers, and 10 values that are none, such as “<10”",
            "`Bemerkung` is empty in every row",
            "`stations.csv` is not UTF-8, Latin-1 it seems",
            "`no2` is 9999 once, and at most 39 everywhere else",
            "`no2` 10 to 39",
            "`station_id` of `measured.csv` is `station_id` of `stations.csv`, all 3 are there",
            "the table `quoted.csv` (3 rows",
            "`2022` 800 to 2000",
            "4 rows; `column 1` 1 to 4 and `column 2` 1.5 to 4.5; 3 columns without names",
        ],
        &["1975-03-01 to", "2022-05-01 to 2022", "of another length", "0 to 9999", "\u{fffd}"],
    );
}

#[test]
fn slips_in_names_counts_and_days_are_told_and_weather_does_not_stop() {
    let target = tempfile::tempdir().unwrap();
    let first = days::number(2020, 1, 1).unwrap();
    let mut bees = "day,species,count,owner_id\n".to_owned();
    for row in 0..200 {
        let species = match row {
            77 => "Bombus terestris",
            _ if row % 2 == 0 => "Bombus terrestris",
            _ => "Apis mellifera",
        };
        let day = if row == 50 { "1900-01-01".to_owned() } else { days::told(first + row) };
        writeln!(bees, "{day},{species},{},{}", if row == 9 { -5 } else { row % 12 }, row % 40).unwrap();
    }
    put(&target, "bees.csv", &bees);
    let owners: String = (0..30).map(|id| format!("{id},owner {id}\n")).collect();
    put(&target, "owners.csv", &format!("id,name\n{owners}"));
    let mut weather = "date,weather,wind\n".to_owned();
    for row in 0..400 {
        let sky = if row < 300 && row % 4 == 0 { "rain" } else { ["sun", "fog"][row % 2] };
        writeln!(weather, "{},{sky},{}.5", days::told(first + row as i64), row % 7).unwrap();
    }
    put(&target, "sky/weather.csv", &weather);
    tells(
        &target,
        &[
            "`species` has “Bombus terestris” (1) beside “Bombus terrestris” (100)",
            "`count` is below zero once among 200 values, down to -5",
            "a date is 1900-01-01, years from the rest",
            "`bees.csv`, 2020-01-01 to 2020-07-18",
            "10 of 40 different `owner_id` in `bees.csv` are not in `owners.csv`",
        ],
        &["rain stops", "1900-01-01 to"],
    );
}

#[test]
fn days_in_eight_digits_years_and_repeats_are_told_and_no_table_is_lost() {
    let target = tempfile::tempdir().unwrap();
    let co2: String = (1..=28).map(|day| format!("195804{day:02},{}.40000001\n", 310 + day)).collect();
    put(&target, "co2.csv", &format!("date,co2\n{co2}"));
    let answers = "1,0,1\n0,0,1\n".repeat(20);
    put(&target, "answers/poll.csv", &format!("a,b,c\n{answers}"));
    for table in 0..40 {
        put(&target, &format!("many/t{table}.csv"), &format!("x{table},y\n1,2\n2,3\n"));
    }
    tells(
        &target,
        &[
            "`co2.csv`, 1958-04-01 to 1958-04-28",
            "`co2` 311.4 to 338.4",
            "38 of 40 rows are repeats of others: no column tells them apart",
            "42 tables",
            "together",
        ],
        &["19580401", "40000001", "stand there twice"],
    );
}

#[test]
fn lists_of_records_and_maps_are_told_by_what_they_hold() {
    let target = tempfile::tempdir().unwrap();
    let permits: Vec<String> = (0..20)
        .map(|id| {
            let cost = if id == 3 { "null".to_owned() } else { (id * 100).to_string() };
            let status = ["open", "granted"][id % 2];
            format!(
                "{{\"id\": {id}, \"filed\": \"2020-01-{:02}\", \"status\": \"{status}\", \"cost\": {cost}}}",
                id + 1
            )
        })
        .collect();
    put(&target, "permits.json", &format!("[{}]", permits.join(",\n")));
    put(&target, "cut.json", "[{\"a\": 1}, {\"a\"");
    put(&target, "settings.json", "{\"name\": \"x\", \"list\": [1, 2]}");
    put(
        &target,
        "geo/parks.geojson",
        "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"properties\": {\"name\": \"A\"}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [8.5, 47.25]}}, {\"type\": \"Feature\", \"properties\": {\"name\": \"B\"}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [8.75, 47.5]}}]}",
    );
    put(
        &target,
        "geo/tour.gpx",
        "<gpx><trk><name>Säntis</name><trkpt lat=\"47.2\" lon=\"9.3\"><time>2022-08-14T06:00:00Z</time></trkpt><trkpt lat=\"47.3\" lon=\"9.3\"><time>2022-08-14T07:00:00Z</time></trkpt></trk></gpx>",
    );
    let mut shape = vec![0; 100];
    shape[..4].copy_from_slice(&9994_u32.to_be_bytes());
    shape[32] = 5;
    put_bytes(&target, "geo/lakes.shp", &shape);
    tells(
        &target,
        &[
            "20 records, 2020-01-01 to 2020-01-20",
            "`status` granted (10) and open (10)",
            "1 of 20 values of `cost` is missing",
            "`cut.json`: it ends in the middle",
            "2 map features (points; with `name`; latitude 47.25 to 47.50, longitude 8.50 to 8.75)",
            "2 track points, 2022-08-14 (‘Säntis’",
            "2020-01-01 (`permits.json`) to 2022-08-14 (`geo/tour.gpx`).",
            "1 map feature (polygons",
            "no .dbf, .shx and .prj lies beside it",
        ],
        &["configuration file", "settings.json` keeps"],
    );
}
