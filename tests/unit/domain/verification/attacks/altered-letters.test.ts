import { ALTERED_LETTERS, JOINED_LABELS } from '#tests/attacks/altered-letters.ts'
import { testFamilies } from '#tests/attacks/attack-suite.ts'

testFamilies([...ALTERED_LETTERS, JOINED_LABELS])
