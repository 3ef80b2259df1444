CREATE TABLE scans (
    id     bigserial PRIMARY KEY,
    parcel text NOT NULL,
    depot  char(3) NOT NULL,
    at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX scans_parcel ON scans (parcel, at DESC);
