/** Texts of what the console has tested and gathered beside requests; part of the console's catalogue. */
export const en = {
  checkAssetsAmount: 'Check assets amount',
  method_ping: 'Ping ({{kind}})',
  method_gather_facts: 'Gather facts ({{kind}})',
  method_gather_accounts: 'Gather accounts ({{kind}})',
  method_verify_account: 'Verify account ({{kind}})',
  method_change_secret: 'Change secret ({{kind}})',
  method_push_account: 'Push account ({{kind}})',
  refreshHardware: 'Refresh hardware information',
  refreshHardwareSelected: 'Refresh selected hardware information',
  refreshNodeHardware: 'Update node asset hardware information',
  testConnectivity: 'Test connectivity',
  testNodeConnectivity: 'Test node asset connectivity',
  testNow: 'Test',
  testSelected: 'Test selected',
  verifyAccount: 'Verify account',
  verifySelected: 'Verify selected',
}

type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  checkAssetsAmount: '检查资产数量',
  method_ping: '测试连接（{{kind}}）',
  method_gather_facts: '收集信息（{{kind}}）',
  method_gather_accounts: '收集账号（{{kind}}）',
  method_verify_account: '验证账号（{{kind}}）',
  method_change_secret: '更改密文（{{kind}}）',
  method_push_account: '推送账号（{{kind}}）',
  refreshHardware: '更新硬件信息',
  refreshHardwareSelected: '更新所选硬件信息',
  refreshNodeHardware: '更新节点资产硬件信息',
  testConnectivity: '测试可连接性',
  testNodeConnectivity: '测试节点资产可连接性',
  testNow: '测试',
  testSelected: '测试所选',
  verifyAccount: '测试账号可连接性',
  verifySelected: '测试所选账号',
}

export const ja: Messages = {
  checkAssetsAmount: '資産数を確認',
  method_ping: 'Ping（{{kind}}）',
  method_gather_facts: '情報収集（{{kind}}）',
  method_gather_accounts: 'アカウント収集（{{kind}}）',
  method_verify_account: 'アカウント検証（{{kind}}）',
  method_change_secret: 'シークレット変更（{{kind}}）',
  method_push_account: 'アカウント配信（{{kind}}）',
  refreshHardware: 'ハードウェア情報を更新',
  refreshHardwareSelected: '選択した資産のハードウェア情報を更新',
  refreshNodeHardware: 'ノード資産のハードウェア情報を更新',
  testConnectivity: '接続性をテスト',
  testNodeConnectivity: 'ノード資産の接続性をテスト',
  testNow: 'テスト',
  testSelected: '選択した項目をテスト',
  verifyAccount: 'アカウントを検証',
  verifySelected: '選択したアカウントを検証',
}
