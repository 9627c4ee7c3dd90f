// A value that only points to the text of a Swift string would outlive it.
#if IMPORTED
  import CRAC
#else
  import RAC
#endif

func send(_ text: String, to subject: OpaquePointer) {
  rac_subject_send(subject, rac_value_string(text))  // refused: use rac_value_string_copy
  rac_subject_send(subject, rac_value_string_static(text))  // refused: use rac_value_string_copy
}
