//! Ten lines: a subject, three operators, a subscription.

fn main() -> rac::Result<()> {
    let words = rac::Subject::new()?;
    let lengths = words
        .map(|word| Ok((word.as_str().map_or(0, str::len) as i64).into()))?
        .filter(|length| Ok(length.as_i64() > Some(2)))?
        .scan(0, |sum, length| Ok((sum.as_i64().unwrap_or(0) + length.as_i64().unwrap_or(0)).into()))?;
    lengths.subscribe_next(|sum| println!("{sum}"))?;
    for word in ["to", "bee", "or", "nought"] {
        words.send(word)?;
    }
    Ok(())
}
