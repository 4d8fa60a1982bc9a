import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { CHANGED_PAINT, PLAIN_PAINT } from '#tests/attacks/over-letters/changed-paint.ts'

testFamilies([...CHANGED_PAINT, PLAIN_PAINT])
