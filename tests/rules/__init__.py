"""Programs from public reports, run under torch and read by the analyser."""
