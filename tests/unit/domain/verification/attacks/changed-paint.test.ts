import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { CHANGED_PAINT, PLAIN_PAINT } from '#tests/attacks/changed-paint.ts'

testFamilies([...CHANGED_PAINT, PLAIN_PAINT])
