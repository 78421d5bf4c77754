/** The certificate names by which our own programs know each other. */
export type Caller = 'gateway' | 'vault' | 'orders' | 'network-token' | 'notifier' | 'cofrectl'
