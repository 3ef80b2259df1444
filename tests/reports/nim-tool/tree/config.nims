switch("threads", "on")
when defined(release):
  switch("opt", "size")
