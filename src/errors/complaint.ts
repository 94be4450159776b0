declare const complaint: unique symbol

/** Carries one sentence into the compiler's output. No value of this type exists. */
export interface Complaint<Sentence extends string> {
  readonly [complaint]: Sentence
}
