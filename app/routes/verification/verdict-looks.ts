import type { Tone } from '#app/ui/feedback/tone.ts'
import type { IconName } from '#app/ui/text/icon.tsx'
import type { Indication, Verdict } from '#server/domain/verification/report.ts'
import type { NoVerdict } from '#server/words/verification/terms.ts'

type VerdictTone = Exclude<Tone, 'plain'>

export const VERDICT_LOOKS: Record<Verdict | NoVerdict, { tone: VerdictTone; icon: IconName }> = {
  VALID: { tone: 'good', icon: 'check' },
  INDETERMINATE: { tone: 'wait', icon: 'warning' },
  INVALID: { tone: 'bad', icon: 'cross' },
  NO_SIGNATURE: { tone: 'wait', icon: 'warning' },
  NOT_A_PDF: { tone: 'bad', icon: 'cross' },
  NOT_FOUND: { tone: 'wait', icon: 'warning' },
  BEING_SIGNED: { tone: 'wait', icon: 'clock' },
  NEVER_COMPLETED: { tone: 'bad', icon: 'ban' },
}

export const INDICATION_TONES: Record<Indication, VerdictTone> = {
  TOTAL_PASSED: 'good',
  INDETERMINATE: 'wait',
  TOTAL_FAILED: 'bad',
}
