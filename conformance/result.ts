/** What became of one recorded case. */
export interface CaseResult {
  readonly id: string
  readonly rule: string
  readonly passed: boolean
  /** An accident of PHP: need not pass. */
  readonly quirk: boolean
  readonly differences: readonly string[]
  /** What came instead, for comparison by others. */
  readonly actual: unknown
}
