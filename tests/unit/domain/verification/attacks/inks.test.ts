import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { INKS } from '#tests/attacks/inks.ts'

testFamilies(INKS)
