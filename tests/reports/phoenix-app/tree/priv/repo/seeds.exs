for boat <- ["Grete", "Tide Queen"] do
  Ferrybook.Repo.insert!(%Ferrybook.Sailings.Sailing{boat: boat, capacity: 80, date: Date.utc_today(), departs_at: ~T[08:15:00]})
end
