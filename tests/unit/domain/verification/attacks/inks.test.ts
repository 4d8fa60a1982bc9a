import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { INKS } from '#tests/attacks/inks.ts'
import { LETTERS } from '#tests/attacks/letters.ts'

testFamilies([...INKS, ...LETTERS])
