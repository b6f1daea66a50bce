//! The text of a schedule, as people paste it: what is read prints as something that reads the same.
#![no_main]

use unpick_model::Schedule;

unpick_fuzz::target!(|bytes| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(schedule) = text.parse::<Schedule>()
    {
        let printed = schedule.to_string();
        assert_eq!(printed.parse::<Schedule>().as_ref(), Ok(&schedule), "{printed}");
        assert!(schedule.switches() <= schedule.segments.len());
    }
});
