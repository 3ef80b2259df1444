import { expect, test } from '@playwright/test';

test('the map opens', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('.map')).toBeVisible();
});

test('a bed is shown', async ({ page }) => {
  await page.route('**/beds/a1', (r) => r.fulfill({ json: { id: 'a1', width: 1, height: 1, crops: ['kale'] } }));
  await page.goto('/beds/a1');
  await expect(page.getByText('kale')).toBeVisible();
});
