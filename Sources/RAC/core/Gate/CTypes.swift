import CRACShims

// The names of C types in the functions of the library; the header is generated from them.

public typealias CSignal = OpaquePointer
public typealias CSubject = OpaquePointer
public typealias CSubscriber = OpaquePointer
public typealias CDisposable = OpaquePointer
public typealias CScheduler = OpaquePointer
public typealias CConnection = OpaquePointer
public typealias CRecursion = OpaquePointer
public typealias CCommand = OpaquePointer
public typealias CSequence = OpaquePointer
public typealias CSequenceIterator = OpaquePointer
public typealias CProperty = OpaquePointer
public typealias CChannel = OpaquePointer
public typealias CBound = OpaquePointer
public typealias CCounter = OpaquePointer
public typealias CHandle = UnsafeMutableRawPointer
public typealias CContext = UnsafeMutableRawPointer
public typealias CString = UnsafePointer<CChar>
public typealias CBuffer = UnsafeMutablePointer<CChar>
public typealias CSize = Int
/// What the function writes there.
public typealias COut<Result> = UnsafeMutablePointer<Result>
public typealias CList<Element> = UnsafePointer<Element>
