declare const complaint: unique symbol

/** Carries one sentence into the compiler's output. No value of this type exists. */
export interface Complaint<Sentence extends string> {
  readonly [complaint]: Sentence
}

/** Marks the package's own contracts for the compiler, which tells them from others by it. No value has it. */
export declare const ownContract: unique symbol
