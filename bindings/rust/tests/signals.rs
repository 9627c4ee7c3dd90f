use rac::*;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

#[test]
fn values_go_through_operators() {
    let subject = Subject::new().unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let keep = heard.clone();
    let chain = subject.map(|v| Ok((v.as_i64().unwrap() * 10).into())).unwrap().take(2).unwrap();
    chain.subscribe_next(move |v| keep.lock().unwrap().push(v.as_i64().unwrap())).unwrap();
    for number in 1..=3 {
        subject.send(number).unwrap();
    }
    assert_eq!(*heard.lock().unwrap(), [10, 20]);
}

#[test]
fn a_closure_is_dropped_once() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    let drops = Arc::new(AtomicUsize::new(0));
    let counted = Counted(drops.clone());
    let signal = signal_return(1).unwrap().map(move |v| Ok(((counted.0.load(SeqCst) as i64) + v.as_i64().unwrap()).into())).unwrap();
    assert_eq!(signal.first(1.0).unwrap().as_i64(), Some(1));
    assert_eq!(drops.load(SeqCst), 0);
    drop(signal);
    // The worker that ran the subscription may still be letting go of it.
    let begin = std::time::Instant::now();
    while drops.load(SeqCst) == 0 && begin.elapsed().as_secs() < 10 {
        std::thread::yield_now();
    }
    assert_eq!(drops.load(SeqCst), 1);
}

#[test]
fn an_error_ends_the_stream_with_its_message() {
    let failing = signal_return(1).unwrap().map(|_| Err(Error::new("no such thing"))).unwrap();
    let error = failing.first(1.0).unwrap_err();
    assert_eq!(error.status, RAC_ESTREAM);
    let caught = failing.catch(|error| signal_return(error.to_string())).unwrap();
    assert!(caught.first(1.0).unwrap().as_str().unwrap().contains("no such thing"));
}

#[test]
fn a_panic_is_an_error() {
    let failing = signal_return(1).unwrap().map(|_| panic!("on purpose")).unwrap();
    assert_eq!(failing.first(1.0).unwrap_err().status, RAC_ESTREAM);
}

#[test]
fn signals_of_signals_and_time() {
    let sum = signal_return(3).unwrap()
        .flatten_map(|v| signal_return(v.as_i64().unwrap() + 1)).unwrap()
        .delay(0.01, None).unwrap();
    assert_eq!(sum.first(5.0).unwrap().as_i64(), Some(4));
    assert_eq!(sum.first(-1.0).unwrap().as_i64(), Some(4));
}

#[test]
fn refused_arguments_say_why() {
    let text = format!("{}", signal_return(1).unwrap().first(f64::NAN).unwrap_err());
    assert!(text.contains("-50"), "{text}");
}
