ALTER TABLE "bearer_tokens" ADD COLUMN "confirm_level" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bearer_tokens" ADD COLUMN "date_confirmed" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "connection_tokens" ADD COLUMN "component_id" uuid;--> statement-breakpoint
ALTER TABLE "connection_tokens" ADD CONSTRAINT "connection_tokens_component_id_users_id_fk" FOREIGN KEY ("component_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;