import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { INKS, THIN_EMBLEMS } from '#tests/attacks/inks.ts'
import { LETTERS } from '#tests/attacks/letters.ts'

testFamilies([...INKS, THIN_EMBLEMS, ...LETTERS])
