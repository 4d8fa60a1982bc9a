import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { SHADOW } from '#tests/attacks/shadow.ts'

testFamilies([...SHADOW])
