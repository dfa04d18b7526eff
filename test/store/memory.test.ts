import { createMemoryStore } from '../../src/server/store/memory.ts'
import { describeEventStore } from '../contract/event-store.ts'

describeEventStore('memory', createMemoryStore)
