declare const complaint: unique symbol

/** Puts a sentence into the compiler's error message. No value of this type exists. */
export interface Complaint<Sentence extends string> {
  readonly [complaint]: Sentence
}

/** A property key that lets the type checker recognise this package's own contracts. No value has this property. */
export declare const ownContract: unique symbol
