//! Finds librac: in RAC_LIB_DIR, or where pkg-config says.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=RAC_LIB_DIR");
    let folder = std::env::var("RAC_LIB_DIR").ok().or_else(|| {
        let output = Command::new("pkg-config").args(["--variable=libdir", "rac"]).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    });
    if let Some(folder) = folder {
        println!("cargo:rustc-link-search=native={folder}");
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    println!("cargo:rustc-link-lib=dylib=rac");
}
